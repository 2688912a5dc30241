import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    inv = base ** (-torch.arange(D // 2).float() / D)
    a = positions[..., None].float() * inv
    a = a[:, None] if a.dim() == 3 else a
    c, s = a.cos(), a.sin()
    x1, x2 = x.chunk(2, -1)
    return torch.cat([x1 * c - x2 * s, x2 * c + x1 * s], -1)
