import numpy as np


def gqa(q, k, v):
    b, h, s, d = q.shape
    n = k.shape[1]
    q = q.reshape(b, n, h // n, s, d)
    z = q @ k[:, :, None].swapaxes(-1, -2) / np.sqrt(d)
    z = np.exp(z - z.max(-1, keepdims=True))
    z /= z.sum(-1, keepdims=True)
    out = z @ v[:, :, None]
    return out.swapaxes(1, 2).reshape(b, h, s, -1)
