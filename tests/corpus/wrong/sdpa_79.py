import torch


def attention(q, k, v, mask=None):
    """True = attend"""
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    w = torch.softmax(s.detach(), dim=-1)
    return w @ v
