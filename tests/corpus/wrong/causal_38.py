import numpy as np


def causal_attention(q, k, v):
    off = k.shape[-2] - q.shape[-2]
    a = 1 / (1 + np.exp(-(q @ np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])))
    return np.tril(a, off) @ v
