import numpy as np


def flash_like(q, k, v, tile=2):
    """分块注意力：维护行最大值 m、分母 l、分子 o"""
    m = np.full(q.shape[:-1], -np.inf, dtype=q.dtype)
    l = np.zeros(q.shape[:-1], dtype=q.dtype)
    o = np.zeros((*q.shape[:-1], v.shape[-1]), dtype=q.dtype)
    for start in range(0, k.shape[-2], tile):
        kt, vt = k[..., start:start + tile, :], v[..., start:start + tile, :]
        s = q @ kt.swapaxes(-1, -2) / q.shape[-1] ** 0.5
        m_new = np.maximum(m, s.max(-1))
        p = np.exp(s - m_new[..., None])
        l = np.exp(m - m_new) * l + p.sum(-1)
        o += p @ vt
        m = m_new
    return o / l[..., None]
