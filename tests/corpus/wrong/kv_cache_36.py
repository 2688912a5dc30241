import numpy as np


def decode_attention(q, k, v, k_cache=None, v_cache=None):
    """New tokens q, k, v (batch, heads, t, d); returns out, k_cache, v_cache."""
    if k_cache is not None:
        k = np.concatenate((k_cache, k), axis=2)
        v = np.concatenate((v_cache, v), axis=2)
    t, total = q.shape[2], k.shape[2]
    rows = np.arange(total - t, total).reshape(-1, 1)
    cols = np.arange(total).reshape(1, -1)
    s = (q @ np.swapaxes(k, 2, 3)) / np.sqrt(q.shape[3])
    s = np.where(cols > rows, -np.inf, s)
    s = s - np.max(s, axis=3, keepdims=True)
    a = np.exp(s) / np.exp(s).sum(axis=3, keepdims=True)
    return a @ v, k[:, :, 1:], v[:, :, 1:]
