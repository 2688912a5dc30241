import numpy as np


def softmax(x, axis=0):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    B, S, C = x.shape
    f = lambda w: (x @ w).reshape(B, S, n_heads, -1).transpose(0, 2, 1, 3)
    q, k, v = f(w_q), f(w_k), f(w_v)
    s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -1e9)
    return (softmax(s) @ v).transpose(0, 2, 1, 3).reshape(B, S, -1) @ w_o
