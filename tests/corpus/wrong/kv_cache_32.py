import numpy as np


def cached_attention(x, w_q, w_k, w_v, w_o, n_heads, cache=None):
    """x (B, T, C). Returns (out, cache); cache is {"k": ..., "v": ...} with arrays (B, H, n, D)."""
    b, t, c = x.shape
    d = c // n_heads

    def split(a):
        return a.reshape(b, t, n_heads, d).transpose(0, 2, 1, 3)

    q, k, v = split(x @ w_q), split(x @ w_k), split(x @ w_v)
    new = {"k": k, "v": v}
    if cache:
        k = np.concatenate([cache["k"], k], axis=2)
        v = np.concatenate([cache["v"], v], axis=2)
    n = k.shape[2]
    logits = np.einsum("bhid,bhjd->bhij", q, k) / d**0.5
    logits += np.triu(np.full((t, n), -np.inf), k=n - t + 1)
    logits -= logits.max(-1, keepdims=True)
    p = np.exp(logits)
    p /= p.sum(-1, keepdims=True)
    out = np.einsum("bhij,bhjd->bhid", p, v).transpose(0, 2, 1, 3).reshape(b, t, c)
    return out @ w_o, new
