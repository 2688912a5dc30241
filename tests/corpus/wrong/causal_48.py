import numpy as np
def causal_attention(q, k, v):
    """每个位置只能看到自己和之前的位置"""
    n = q.shape[-2]
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    s = np.where(np.tril(np.ones((n, k.shape[-2])), -1) == 1, s, -1e9)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
