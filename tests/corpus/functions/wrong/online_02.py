import numpy as np


def online_softmax(x, block_size):
    """写出的块没有随最大值更新"""
    out = np.zeros_like(x)
    m = np.full(x.shape[:-1] + (1,), -np.inf)
    l = np.zeros_like(m)
    for s in range(0, x.shape[-1], block_size):
        b = x[..., s : s + block_size]
        new = np.maximum(m, b.max(-1, keepdims=True))
        out[..., s : s + block_size] = np.exp(b - new)
        l = l * np.exp(m - new) + np.exp(b - new).sum(-1, keepdims=True)
        m = new
    return out / l
