import numpy as np


def gqa(Q, K, V):
    """Q (H, S, D), K V (Hkv, S, D)"""
    r = Q.shape[0] // K.shape[0]
    K = np.tile(K, (r, 1, 1))
    V = np.repeat(V, r, axis=0)
    s = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ V
