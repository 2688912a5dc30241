import numpy as np


def attn(q, k, v, mask=None):
    # mask: 1 keep / 0 drop
    s = (q @ k.transpose(0, 1, 3, 2)) / np.sqrt(q.shape[-1])
    if mask is not None:
        s = s * mask
    s = np.exp(s - s.max(axis=-1, keepdims=True))
    s = s / s.sum(axis=-1, keepdims=True)
    return s @ v
