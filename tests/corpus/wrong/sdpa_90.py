import numpy as np


def attention(q, k, v):
    """Sq 与 Sk 可以不同"""
    B, H, S, D = q.shape
    out = np.zeros((B, H, S, v.shape[-1]), dtype=q.dtype)
    for b in range(B):
        for h in range(H):
            sc = np.zeros((S, S), dtype=q.dtype)
            for i in range(S):
                sc[i] = k[b, h] @ q[b, h, i] / np.sqrt(D)
            sc = np.exp(sc - sc.max(1, keepdims=True))
            out[b, h] = sc / sc.sum(1, keepdims=True) @ v[b, h]
    return out
