import torch
def attention(q, k, v, mask=None):
    """mask: bool, True = may attend"""
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("inf"))
    return torch.softmax(s, dim=-1) @ v
