import numpy as np


def cross_attention(x, context, w_q, w_k, w_v, w_o, n_heads, context_mask=None):
    """x (B, Sq, C), context (B, Sk, Cc), w_q (C, C), w_k and w_v (Cc, C), w_o (C, C), all multiplied from the right.

    context_mask (B, Sk): True = real token.
    """
    def heads(t):
        return t.reshape(t.shape[0], t.shape[1], n_heads, -1).transpose(0, 2, 1, 3)

    q, k, v = heads(x @ w_q), heads(context @ w_k), heads(context @ w_v)
    s = q @ k.swapaxes(-1, -2) * np.float32(q.shape[-1] ** -0.5)
    if context_mask is not None:
        s = np.where(context_mask[:, None, None, :], s, np.float32(-np.inf))
    top = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(top), top, np.float32(0)))
    total = e.sum(-1, keepdims=True)
    p = np.divide(e, total, out=np.zeros_like(e), where=total > 0)
    return (p @ v).transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[1], -1) @ w_o
