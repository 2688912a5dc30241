import numpy as np


def causal_attention(q, k, v):
    k *= np.float32(k.shape[-1] ** -0.5)
    s = np.einsum("bhqd,bhkd->bhqk", q, k)
    s = np.where(np.tri(q.shape[2], k.shape[2], k.shape[2] - q.shape[2]), s, -np.inf)
    s = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("bhqk,bhkd->bhqd", s / s.sum(-1, keepdims=True), v)
