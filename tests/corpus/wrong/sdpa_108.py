import numpy as np


def attention(q, k, v):
    n = k.shape[1] - 1
    s = np.einsum("bqd,bkd->bqk", q, k)[:, :, :n] / np.sqrt(q.shape[-1])
    s = np.exp(s - s.max(-1, keepdims=True))
    s = s / s.sum(-1, keepdims=True)
    return s @ v[:, :n]
