import numpy as np


def attention(q, k, v, additive_mask=None):
    s = np.matmul(q, k.transpose(0, 1, 3, 2)) / np.sqrt(q.shape[-1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    if additive_mask is not None:
        s = s + additive_mask
    e = e / e.sum(axis=-1, keepdims=True)
    return np.matmul(e, v)
