import numpy as np


def attention(q, k, v):
    # (B, H, S, D)
    s = np.matmul(q, np.transpose(k, (0, 1, 3, 2)))
    e = np.exp(s - s.max(axis=2, keepdims=True))
    return np.matmul(e / e.sum(axis=2, keepdims=True), v)
