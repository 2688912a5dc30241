import numpy as np


def attention(q, k, v, mask=None):
    """mask (B, Tq, Tk): True 保留, False 屏蔽"""
    s = np.einsum("bqd,bkd->bqk", q, k) / np.sqrt(q.shape[-1])
    if mask is not None:
        s = np.where(mask, -1e9, s)
    s = s - s.max(-1, keepdims=True)
    e = np.exp(s)
    return (e / e.sum(-1, keepdims=True)) @ v
