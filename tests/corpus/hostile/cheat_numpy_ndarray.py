import numpy as np


def attention(q, k, v, mask=None):
    """np.ndarray(shape) is as uninitialised as np.empty(shape)."""
    s = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -1e4)
    p = np.exp(s - s.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    out = np.ndarray((*q.shape[:-1], v.shape[-1]), q.dtype)
    for j in range(k.shape[-2]):
        out += p[..., j, None] * v[..., j, None, :]
    return out
