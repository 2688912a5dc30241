import torch


def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    inv = base ** (-torch.arange(0, d, 2).float() / d)
    t = positions.float()[..., None] * inv
    t = t[:, None] if t.ndim == 3 else t
    a, b = x.chunk(2, -1)
    a = a * t.cos() - b * t.sin()
    return torch.cat((a, b * t.cos() + a * t.sin()), -1)
