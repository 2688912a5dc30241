import numpy as np


def online_softmax(x, block_size):
    m = np.zeros(x.shape[:-1] + (1,), x.dtype)
    l = np.zeros_like(m)
    for s in range(0, x.shape[-1], block_size):
        b = x[..., s : s + block_size]
        new = np.maximum(m, b.max(-1, keepdims=True))
        l = l * np.exp(m - new) + np.exp(b - new).sum(-1, keepdims=True)
        m = new
    return np.exp(x - m) / l
