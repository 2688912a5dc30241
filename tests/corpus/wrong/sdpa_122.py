import torch


def attention(q, k, v, mask=None):
    """mask: True = hide"""
    s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        s = s.masked_fill(mask, torch.finfo(s.dtype).max)
    p = torch.exp2(s - s.amax(-1, keepdim=True))
    return (p @ v) / p.sum(-1, keepdim=True)
