import torch


def sliding_window_attention(q, k, v, window):
    """two blocks per query block; i sees the last `window` keys including itself"""
    B, H, S, D = q.shape
    out = torch.empty(B, H, S, v.shape[-1], dtype=q.dtype)
    off = k.shape[2] - S
    for s in range(0, S, window):
        e = min(s + window, S)
        lo = max(0, s + off - window + 1)
        kk, vv = k[:, :, lo:e + off], v[:, :, lo:e + off]
        i = torch.arange(s, e)[:, None] + off
        j = torch.arange(lo, e + off)[None]
        sc = q[:, :, s:e] @ kk.mT * D ** -0.5
        sc = sc.masked_fill((j > i) | (j <= i - window), -torch.inf)
        out[:, :, s:e] = sc.softmax(-1) @ vv
    return out
