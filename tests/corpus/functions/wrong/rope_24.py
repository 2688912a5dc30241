import torch


def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    inv = 10000.0 ** (-torch.arange(0, d, 2).float() / d)
    t = positions.float()[..., None] * inv
    t = t[:, None] if t.ndim == 3 else t
    a, b = x.chunk(2, -1)
    return torch.cat((a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()), -1)
