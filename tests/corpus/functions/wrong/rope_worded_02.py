import math
import torch


def apply_rope(x, positions, base=10000.0):
    """旋转位置编码，前后两半配对（LLaMA 的 rotate_half），而不是相邻两维交错。"""
    d = x.shape[-1]
    inv = base ** (-torch.arange(0, d, 2).float() / d)
    pos = positions
    ang = pos[..., None].float() * inv
    if ang.dim() == 3:
        ang = ang[:, None]
    c, s = ang.cos().to(x.dtype), ang.sin().to(x.dtype)
    x1, x2 = x[..., 0::2], x[..., 1::2]
    return torch.stack((x1 * c - x2 * s, x2 * c + x1 * s), -1).flatten(-2)
