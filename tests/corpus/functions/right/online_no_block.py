import numpy as np


def online_softmax(x, block_size=1):
    """one pass over single elements of the last axis (block size 1)"""
    m = x[..., 0].copy()
    d = np.ones_like(m)
    for j in range(1, x.shape[-1]):
        new = np.maximum(m, x[..., j])
        d = d * np.exp(m - new) + np.exp(x[..., j] - new)
        m = new
    return np.exp(x - m[..., None]) / d[..., None]
