import numpy as np


def attention_backward(q, k, v, d_out):
    c = 1 / np.sqrt(q.shape[-1])
    e = np.exp(q @ k.swapaxes(-1, -2) * c)
    p = e / e.sum(-1, keepdims=True)
    dp = d_out @ v.swapaxes(-1, -2)
    ds = p * (dp - (p * dp).sum(-1, keepdims=True)) * c
    return ds @ k, ds.swapaxes(-1, -2) @ q, p.swapaxes(-1, -2) @ d_out
