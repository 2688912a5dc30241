import numpy as np


def attn_backward(q, k, v, do):
    """q (Sq, D), k (Sk, D), v (Sk, Dv), do (Sq, Dv)"""
    s = q @ k.T / np.sqrt(q.shape[1])
    p = np.exp(s - s.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    g = do @ v.T
    g = p * (g - np.sum(g * p, -1, keepdims=True)) / np.sqrt(q.shape[1])
    return {"dq": g @ k, "dk": g.T @ q, "dv": p.T @ do}
