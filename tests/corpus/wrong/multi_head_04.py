import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    b, s, c = x.shape

    def split(t):
        return t.reshape(b, s, n_heads, -1).transpose(0, 2, 1, 3)

    q, k, v = split(x @ w_q), split(x @ w_k), split(x @ w_v)
    logits = q @ k.swapaxes(2, 3) / np.sqrt(x.shape[-1])
    if mask is not None:  # True = keep
        logits = np.where(mask, logits, -np.inf)
    logits -= logits.max(-1, keepdims=True)
    p = np.exp(logits)
    p /= p.sum(-1, keepdims=True)
    return (p @ v).transpose(0, 2, 1, 3).reshape(b, s, c) @ w_o
