import numpy as np


def attention(q, k, v, block=2):
    m = np.full((len(q), 1), -np.inf, np.float32)
    l = np.zeros((len(q), 1), np.float32)
    o = np.zeros((len(q), v.shape[1]), np.float32)
    for j in range(0, len(k), block):
        s = (q @ k[j:j + block].T) * np.float32(q.shape[1] ** -0.5)
        new = s.max(axis=1, keepdims=True)
        p = np.exp(s - new)
        c = np.exp(m - new)
        l = l * c + p.sum(axis=1, keepdims=True)
        o = o * c + p @ v[j:j + block]
        m = new
    return o / l
