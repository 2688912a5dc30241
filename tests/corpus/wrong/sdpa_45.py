import torch


def attention(q, k, v, mask=None):
    """mask: bool, True marks the positions that take part"""
    e = torch.exp(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5)
    if mask is not None:
        e = e * mask
    return (e @ v) / e.sum(dim=-1, keepdim=True).clamp(min=1e-30)
