import numpy as np


def swa(q, k, v, window):
    n, m = q.shape[-2], k.shape[-2]
    rel = np.arange(n)[:, None] + m - n - np.arange(m)
    z = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    z = np.where((rel >= 0) & (rel < window), z, -1e30)
    z = np.exp(z - z.max(-2, keepdims=True))
    return z / z.sum(-2, keepdims=True) @ v
