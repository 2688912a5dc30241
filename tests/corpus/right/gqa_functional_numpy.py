import numpy as np


def gqa(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads):
    """x (B, S, C); weights multiply from the right."""
    B, S, _ = x.shape
    d = w_q.shape[1] // n_heads

    def split(t, n):
        return t.reshape(B, S, n, d).transpose(0, 2, 1, 3)

    q, k, v = split(x @ w_q, n_heads), split(x @ w_k, n_kv_heads), split(x @ w_v, n_kv_heads)
    k = np.repeat(k, n_heads // n_kv_heads, axis=1)
    v = np.repeat(v, n_heads // n_kv_heads, axis=1)
    z = q @ k.transpose(0, 1, 3, 2) / np.sqrt(d)
    z = np.exp(z - z.max(-1, keepdims=True))
    out = (z / z.sum(-1, keepdims=True)) @ v
    return out.transpose(0, 2, 1, 3).reshape(B, S, -1) @ w_o
