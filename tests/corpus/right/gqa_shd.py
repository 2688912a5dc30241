import numpy as np


def gqa(q, k, v):
    """q: (S, H, D)，k、v: (S, Hkv, D)；相邻的 H/Hkv 个 query 头共用一个 kv 头"""
    S, H, D = q.shape
    G = H // k.shape[1]
    out = np.empty((S, H, v.shape[2]), q.dtype)
    for kv in range(k.shape[1]):
        qs = q[:, kv * G : (kv + 1) * G]
        s = np.einsum("qgd,kd->gqk", qs, k[:, kv]) / np.sqrt(D)
        s = np.exp(s - s.max(-1, keepdims=True))
        s /= s.sum(-1, keepdims=True)
        out[:, kv * G : (kv + 1) * G] = np.einsum("gqk,kd->qgd", s, v[:, kv])
    return out
