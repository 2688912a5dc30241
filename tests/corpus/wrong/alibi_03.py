import numpy as np


def alibi(q, k, v):
    # 斜率: 1/2, 1/4, 1/8 ...
    H, n, m = q.shape[1], q.shape[2], k.shape[2]
    slopes = 0.5 ** np.arange(1, H + 1)
    rel = np.arange(m)[None] - (np.arange(n)[:, None] + m - n)
    z = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]) + slopes[:, None, None] * rel
    z = np.where(rel > 0, -np.inf, z)
    z = np.exp(z - z.max(-1, keepdims=True))
    return z / z.sum(-1, keepdims=True) @ v
