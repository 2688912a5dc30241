import numpy as np


def linear_attention(q, k, v, causal=False):
    """用 ReLU 作特征映射"""
    fq, fk = np.maximum(q, 0), np.maximum(k, 0)
    w = fq @ np.swapaxes(fk, -1, -2)
    if causal:
        w = np.tril(w)
    return w @ v / w.sum(-1, keepdims=True)
