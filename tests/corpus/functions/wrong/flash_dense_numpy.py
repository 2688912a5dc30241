import numpy as np


def flash_attention(q, k, v, block_size=64):
    s = np.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(np.float32(q.shape[-1]))
    m = s.max(-1, keepdims=True)
    e = np.exp(s - m)
    l = e.sum(-1, keepdims=True)
    return (e / l) @ v, (m + np.log(l))[..., 0]
