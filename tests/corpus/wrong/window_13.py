import numpy as np


def swa(q, k, v, window):
    """(H, S, D); blocks of `window`: own block and the one before, causal. 窗口内 window 个 key。"""
    H, S, D = q.shape
    out = np.empty(q.shape[:-1] + v.shape[-1:], q.dtype)
    for i in range(S):
        lo = max(0, (i // window - 1) * window)
        z = np.einsum("hd,hjd->hj", q[:, i], k[:, lo : i + 1]) / np.sqrt(D)
        z = np.exp(z - z.max(-1, keepdims=True))
        out[:, i] = np.einsum("hj,hjd->hd", z / z.sum(-1, keepdims=True), v[:, lo : i + 1])
    return out
