import numpy as np


def softmax(a):
    a = np.exp(a - np.max(a, axis=-1, keepdims=True))
    return a / np.sum(a, axis=-1, keepdims=True)


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    """x (B, S, C). mask broadcastable to (B, H, S, S), True = may attend."""
    d = w_q.shape[1] // n_heads
    heads = []
    for h in range(n_heads):
        cols = slice(h * d, (h + 1) * d)
        q, k, v = x @ w_q[:, cols], x @ w_k[:, cols], x @ w_v[:, cols]
        s = q @ np.swapaxes(k, -1, -2) / np.sqrt(d)
        if mask is not None:
            full = np.broadcast_to(mask, (x.shape[0], n_heads) + s.shape[1:])
            s = np.where(full[:, h], s, -1e30)
        heads.append(softmax(s) @ v)
    return np.concatenate(heads, axis=-1) @ w_o
