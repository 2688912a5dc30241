import numpy as np


def online_softmax(x, block_size=4):
    """一遍扫过各块；最大值变大时，把已写出的部分一起重新缩放。"""
    out = np.zeros_like(x)
    m = np.full(x.shape[:-1] + (1,), -np.inf, dtype=x.dtype)
    l = np.zeros_like(m)
    n = x.shape[-1]
    for s in range(0, n, block_size):
        e = min(s + block_size, n)
        m_new = np.maximum(m, x[..., s:e].max(-1, keepdims=True))
        alpha = np.exp(m - m_new)
        out[..., :s] *= alpha
        out[..., s:e] = np.exp(x[..., s:e] - m_new)
        l = l * alpha + out[..., s:e].sum(-1, keepdims=True)
        m = m_new
    return out / l
