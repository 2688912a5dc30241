import torch


def precompute(dim, end, theta=10000.0):
    f = 1.0 / theta ** (torch.arange(0, dim, 2).float() / dim)
    a = torch.outer(torch.arange(end).float(), f)
    return a.cos(), a.sin()


def apply_rope(x, cos, sin):
    """x (B, H, S, D), cos and sin (S, D/2)"""
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)
