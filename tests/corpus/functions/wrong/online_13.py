import numpy as np
def online_softmax(x, block_size):
    m = np.zeros(x.shape[:-1] + (1,), x.dtype); l = np.zeros_like(m)
    for i in range(0, x.shape[-1], block_size):
        b = x[..., i:i + block_size]
        n = np.maximum(m, b.max(-1, keepdims=True))
        l = l * np.exp(m - n) + np.exp(b - n).sum(-1, keepdims=True)
        m = n
    return np.exp(x - m) / l
