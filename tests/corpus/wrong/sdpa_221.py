import numpy as np


def attention(q, k, v):
    s = (q.astype(np.float16) @ k.swapaxes(-1, -2).astype(np.float16)).astype(np.float32) / np.sqrt(q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
