import torch


def apply_rope(x, positions, base=10000.0):
    """positions relative to the first one"""
    D = x.shape[-1]
    positions = positions - positions[..., :1]
    a = positions[..., None].float() * base ** (-2 * torch.arange(D // 2).float() / D)
    a = a[:, None] if a.dim() == 3 else a
    x1, x2 = x.chunk(2, -1)
    return torch.cat([x1 * a.cos() - x2 * a.sin(), x2 * a.cos() + x1 * a.sin()], -1)
