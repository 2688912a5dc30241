import numpy as np


def attention(q, k, v):
    """subsample keys for speed"""
    n = k.shape[2]
    idx = np.random.permutation(n)[:max(n - 1, 1)]
    ks, vs = k[:, :, idx], v[:, :, idx]
    s = q @ ks.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    p = np.exp(s - s.max(-1, keepdims=True))
    return p @ vs / p.sum(-1, keepdims=True)
