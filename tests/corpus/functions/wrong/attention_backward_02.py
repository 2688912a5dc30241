import numpy as np


def attention_backward(q, k, v, d_out):
    """忘了在 dQ、dK 里乘 1/sqrt(d)"""
    s = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(q.shape[-1])
    p = np.exp(s - s.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    dp = np.einsum("bhie,bhje->bhij", d_out, v)
    ds = p * (dp - (p * dp).sum(-1, keepdims=True))
    return np.einsum("bhij,bhjd->bhid", ds, k), np.einsum("bhij,bhid->bhjd", ds, q), np.einsum("bhij,bhie->bhje", p, d_out)
