import numpy as np


def attention(q, k, v, valid_len=None):
    """valid_len: (B,) number of real keys in every example"""
    s = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
    if valid_len is not None:
        row = np.arange(q.shape[1])
        ok = row[None, :, None] < valid_len[:, None, None]
        s = np.where(ok, s, -1e6)
    s = np.exp(s - s.max(axis=2, keepdims=True))
    return s / s.sum(axis=2, keepdims=True) @ v
