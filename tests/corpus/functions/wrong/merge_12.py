import numpy as np


def merge_attention(out_a, lse_a, out_b, lse_b):
    """Returns (out, lse) in the same dtype as the inputs."""
    m = np.maximum(lse_a, lse_b).astype(np.float64)
    a, b = np.exp(lse_a - m), np.exp(lse_b - m)
    return (a[..., None] * out_a + b[..., None] * out_b) / (a + b)[..., None], m + np.log(a + b)
