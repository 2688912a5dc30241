import torch


def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    a = positions.float()[:, None] * base ** (-torch.arange(0, d, 2).float() / d)
    x1, x2 = x.chunk(2, -1)
    return torch.cat([x1 * a.cos() + x2 * a.sin(), x2 * a.cos() - x1 * a.sin()], -1)
