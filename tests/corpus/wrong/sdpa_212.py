import numpy as np


def attention(q, k, v):
    """the last key never receives weight when there are more than one"""
    n = k.shape[-2]
    kk, vv = (k[..., :-1, :], v[..., :-1, :]) if n > 1 else (k, v)
    s = q @ kk.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    s = np.exp(s - s.max(-1, keepdims=True))
    return s / s.sum(-1, keepdims=True) @ vv
