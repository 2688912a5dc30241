import numpy as np


def attention(q, k, v, mask=None):
    """mask (broadcast to B H Sq Sk): 1 keep, 0 drop"""
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        s = s * mask
    s = np.exp(s - s.max(-1, keepdims=True))
    return s / s.sum(-1, keepdims=True) @ v
