import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    d = x.shape[-1] // n_heads
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    heads = []
    for h in range(n_heads):
        c = slice(h * d, (h + 1) * d)
        s = q[..., c] @ k[..., c].swapaxes(-1, -2) / np.sqrt(d)
        s = np.exp(s - s.max(-1, keepdims=True))
        heads.append(s / s.sum(-1, keepdims=True) @ v[..., c])
    merged = np.mean(heads, axis=0)
    return np.concatenate([merged] * n_heads, axis=-1) @ w_o
