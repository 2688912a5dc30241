import numpy as np


def attention(q, k, v):
    """numpy 多头: (B, H, S, D)"""
    s = q @ np.swapaxes(k, 2, 3) / np.sqrt(q.shape[3])
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p = p / p.sum(axis=3, keepdims=True)
    return np.swapaxes(p, 2, 3) @ v
