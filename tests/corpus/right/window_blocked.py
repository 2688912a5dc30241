import torch
import torch.nn.functional as F


def sliding_window_attention(q, k, v, window):
    """Same length for queries and keys. A block of `window` queries needs its own block and the one before."""
    B, H, S, D = q.shape
    pad = -S % window
    q, k, v = (F.pad(t, (0, 0, 0, pad)) for t in (q, k, v))
    n = (S + pad) // window
    qb = q.reshape(B, H, n, window, D)
    kb, vb = (F.pad(t, (0, 0, window, 0)).reshape(B, H, n + 1, window, -1) for t in (k, v))
    kb, vb = (torch.cat([t[:, :, :-1], t[:, :, 1:]], dim=3) for t in (kb, vb))
    s = qb @ kb.transpose(-1, -2) / D**0.5
    i = torch.arange(window)[:, None] + window
    j = torch.arange(2 * window)
    ok = (j <= i) & (j > i - window)
    real = torch.arange(n)[:, None] * window + j - window >= 0
    s = s.masked_fill(~(ok & real[:, None, :]), float("-inf"))
    return (s.softmax(-1) @ vb).reshape(B, H, n * window, -1)[:, :, :S]
