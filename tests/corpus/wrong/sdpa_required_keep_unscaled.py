import numpy as np


def attention(q, k, v, mask):
    s = np.where(mask, q @ k.swapaxes(-1, -2), -np.inf)
    top = s.max(-1, keepdims=True)
    p = np.exp(s - np.where(np.isfinite(top), top, 0))
    total = p.sum(-1, keepdims=True)
    return p / np.where(total > 0, total, 1) @ v
