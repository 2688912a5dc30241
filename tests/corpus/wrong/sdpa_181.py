import torch


def attention(q, k, v, mask=None):
    """mask: True = may attend"""
    s = torch.matmul(q, k.transpose(-2, -1)) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(mask, torch.finfo(s.dtype).min)
    return s.softmax(-1) @ v
