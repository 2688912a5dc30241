import torch


def sliding_window_attention(q, k, v, window):
    """(B, H, S, D)，每块 window 个 token，query i 看 i-window+1 .. i"""
    S, D = q.shape[-2:]
    outs = []
    for a in range(0, S, window):
        qq, kk, vv = (t[:, :, a : a + window] for t in (q, k, v))
        s = qq @ kk.transpose(-1, -2) / D**0.5
        n = s.shape[-1]
        s = s.masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -torch.inf)
        outs.append(s.softmax(-1) @ vv)
    return torch.cat(outs, 2)
