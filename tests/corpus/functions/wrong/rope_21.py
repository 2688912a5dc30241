import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    inv = base ** (-torch.arange(D // 2).float() / D)
    a = positions[..., None].float() * inv
    a = a[:, None] if a.dim() == 3 else a
    x1, x2 = x[..., :D // 2], x[..., D // 2:]
    return torch.cat([x1 * a.cos() + x2 * a.sin(), x2 * a.cos() - x1 * a.sin()], -1)
