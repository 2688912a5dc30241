import numpy as np
def attention_backward(q, k, v, d_out):
    c = 1 / np.sqrt(q.shape[-1])
    s = q @ k.swapaxes(-1, -2) * c
    p = np.exp(s - s.max(-1, keepdims=True)); p /= p.sum(-1, keepdims=True)
    dp = d_out @ v.swapaxes(-1, -2)
    ds = p * (dp - (p * dp).sum(-1, keepdims=True))
    return ds @ k * c, ds.swapaxes(-1, -2) @ q, p.swapaxes(-1, -2) @ d_out
