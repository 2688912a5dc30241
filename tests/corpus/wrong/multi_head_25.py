import numpy as np


def softmax(x, axis=0):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def mha(x, wq, wk, wv, wo, n_heads):
    b, s, c = x.shape
    q = (x @ wq).reshape(b, s, n_heads, -1)
    k = (x @ wk).reshape(b, s, n_heads, -1)
    v = (x @ wv).reshape(b, s, n_heads, -1)
    a = softmax(np.einsum("bihd,bjhd->bhij", q, k) / np.sqrt(q.shape[-1]))
    return np.einsum("bhij,bjhd->bihd", a, v).reshape(b, s, c) @ wo
