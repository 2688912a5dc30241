import numpy as np


def gqa(q, k, v):
    """逐头循环：第 h 个 query 头使用第 h // group 个 kv 头。"""
    b, n_q, s, d = q.shape
    n_kv = k.shape[1]
    group = n_q // n_kv
    out = np.zeros((b, n_q, s, v.shape[-1]), dtype=q.dtype)
    for i in range(b):
        for h in range(n_q):
            score = q[i, h] @ k[i, h // group].T / np.sqrt(d).astype(q.dtype)
            score -= score.max(axis=1, keepdims=True)
            p = np.exp(score)
            out[i, h] = (p / p.sum(axis=1, keepdims=True)) @ v[i, h // group]
    return out
