import numpy as np


def local_attention(q, k, v, w):
    """(S, H, D)；窗口含自己共 w 个 key。"""
    S, H, D = q.shape
    s = np.einsum("ihd,jhd->hij", q, k) / np.sqrt(D)
    i, j = np.ogrid[:S, :k.shape[0]]
    s = np.where((j <= i) & (i - j < w), s, -1e30)
    s = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("hij,jhe->ihe", s / s.sum(-1, keepdims=True), v)
