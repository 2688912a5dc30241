import torch


def attention(q, k, v, mask=None):
    """mask True = keep"""
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    w = torch.softmax(s, dim=-1).clamp(1e-4, 0.5)
    return w @ v
