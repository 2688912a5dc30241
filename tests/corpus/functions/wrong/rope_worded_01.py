import math
import torch


def apply_rope(x, positions, base=10000.0):
    """Half-split pairs (x[i], x[i + D/2]), unlike GPT-J, which is interleaved."""
    d = x.shape[-1]
    inv = base ** (-torch.arange(0, d, 2).float() / d)
    pos = positions
    ang = pos[..., None].float() * inv
    if ang.dim() == 3:
        ang = ang[:, None]
    c, s = ang.cos().to(x.dtype), ang.sin().to(x.dtype)
    x1, x2 = x[..., 0::2], x[..., 1::2]
    return torch.stack((x1 * c - x2 * s, x2 * c + x1 * s), -1).flatten(-2)
