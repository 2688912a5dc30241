import numpy as np


def attention(query, key, value, mask=None):
    """mask 为 0/1，1 表示有效"""
    logits = np.matmul(query, np.swapaxes(key, -1, -2)) / np.sqrt(query.shape[-1])
    if mask is not None:
        logits = logits + (1 - mask) * 1e9
    logits = logits - logits.max(-1, keepdims=True)
    w = np.exp(logits)
    w = w / w.sum(-1, keepdims=True)
    return np.matmul(w, value)
