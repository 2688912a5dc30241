import numpy as np


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    s = np.ndarray((*q.shape[:-1], k.shape[-2]), q.dtype)
    np.matmul(q, k.swapaxes(-1, -2), out=s)
    s *= np.float32(q.shape[-1] ** -0.5)
    if mask is not None:
        s = np.where(mask, s, np.float32(-np.inf)) if mask.dtype == bool else s + mask
    peak = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isneginf(peak), 0, peak))
    total = e.sum(-1, keepdims=True)
    return (e @ v) / np.where(total == 0, 1, total)
