import numpy as np


def merge_attention(out_a, lse_a, out_b, lse_b):
    """合并后忘记把最大值加回去。"""
    m = np.maximum(lse_a, lse_b)
    a, b = np.exp(lse_a - m), np.exp(lse_b - m)
    return (a[..., None] * out_a + b[..., None] * out_b) / (a + b)[..., None], np.log(a + b)
