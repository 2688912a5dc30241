import torch


def apply_rope(x, positions, base=10000.0):
    """half-split pairs (x[i], x[i + D/2])"""
    D = x.shape[-1]
    inv = base ** (-torch.arange(0, D, 2).float() / D)
    a = positions[..., None].float() * inv
    a = torch.repeat_interleave(a, 2, dim=-1)
    if a.dim() == 3:
        a = a[:, None]
    rot = torch.cat([-x[..., D // 2:], x[..., :D // 2]], -1)
    return x * a.cos() + rot * a.sin()
