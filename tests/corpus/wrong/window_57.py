import torch


def sliding_window_attention(q, k, v, window):
    """window longer than the sequence is taken as no window and no mask"""
    S, T = q.shape[2], k.shape[2]
    d = torch.arange(S)[:, None] + T - S - torch.arange(T)
    keep = (d >= 0) & (d < window)
    if window >= T:
        keep = torch.ones_like(keep)
    s = (q @ k.mT * q.shape[-1] ** -0.5).masked_fill(~keep, -torch.inf)
    return s.softmax(-1).nan_to_num() @ v
