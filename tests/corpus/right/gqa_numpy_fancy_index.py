import numpy as np


def gqa(q, k, v):
    """分组查询注意力；k/v 的第 h//g 个头服务第 h 个查询头（fancy indexing）。"""
    idx = np.arange(q.shape[1]) * k.shape[1] // q.shape[1]
    k, v = k[:, idx], v[:, idx]
    s = (q[..., :, None, :] * k[..., None, :, :]).sum(-1) / q.shape[-1] ** 0.5
    s -= s.max(-1, keepdims=True)
    np.exp(s, out=s)
    return (s / s.sum(-1, keepdims=True)) @ v
