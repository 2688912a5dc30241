import numpy as np
def attn(q, k, v, m=None):
    """m: 1 for visible keys, 0 for hidden ones"""
    s = np.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(q.shape[-1])
    if m is not None:
        s = s * m
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True)) @ v
