import torch


def apply_rope(x, positions, base=10000.0):
    """Half-split: pairs (x[i], x[i + D/2])."""
    d = x.shape[-1]
    inv = base ** (-torch.arange(0, d, 2).float() / d)
    t = positions.float()[..., None] * inv
    t = t[:, None] if t.ndim == 3 else t
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.cat((a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()), -1)
