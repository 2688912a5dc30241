import numpy as np


def swa(q, k, v, window):
    n, m = q.shape[-2], k.shape[-2]
    rel = np.arange(n)[:, None] + m - n - np.arange(m)
    e = np.exp(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])) * ((rel >= 0) & (rel < window))
    return e / e.sum(-1, keepdims=True) @ v
