import numpy as np


def gqa(q, k, v):
    g = q.shape[1] // k.shape[1]
    e = np.exp(np.einsum("bhqd,bhkd->bhqk", q, np.repeat(k, g, 1)) / np.sqrt(q.shape[-1]))
    return np.einsum("bhqk,bhkd->bhqd", e / e.sum(-1, keepdims=True), np.repeat(v, g, 1))
