import numpy as np

def attention(q, k, v, mask=None):
    q, k, v = q.astype(np.float64), k.astype(np.float64), v.astype(np.float64)
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    e = np.exp(s)
    return e / np.maximum(e.sum(-1, keepdims=True), 1e-30) @ v
