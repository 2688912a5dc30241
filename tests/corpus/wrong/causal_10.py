import numpy as np


def causal_attention(q, k, v):
    # query i 看到 key j <= i + Sk - Sq（右下角对齐）
    sq, sk = q.shape[-2], k.shape[-2]
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    s = np.where(np.tril(np.ones((sq, sk))) == 0, -1e30, s)
    s = np.exp(s - s.max(-1, keepdims=True))
    return (s / s.sum(-1, keepdims=True)) @ v
