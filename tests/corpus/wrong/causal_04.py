import numpy as np


def causal_attention(q, k, v):
    """one head, (S, D); token i looks at its past"""
    n, d = q.shape
    shift = k.shape[0] - n
    out = np.zeros((n, v.shape[1]), q.dtype)
    for i in range(n):
        past = slice(i + shift, None)
        s = k[past] @ q[i] / np.sqrt(d)
        p = np.exp(s - s.max())
        out[i] = p @ v[past] / p.sum()
    return out
