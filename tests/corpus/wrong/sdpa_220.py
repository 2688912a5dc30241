import numpy as np


def attention(q, k, v, mask=None):
    """mask 1 = keep"""
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    p = e / e.sum(-1, keepdims=True)
    if mask is not None:
        p = np.where(mask, p, 0)
    return p @ v
