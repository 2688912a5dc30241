import numpy as np


def causal_attention(q, k, v):
    """q, k, v (B, H, S, D)"""
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    keep = np.triu(np.ones(s.shape[-2:], bool), k=s.shape[-1] - s.shape[-2])
    s = np.where(keep, s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
