import numpy as np


def apply_rope(x, positions, base=10000.0):
    """positions: (B, S)"""
    D = x.shape[-1]
    inv = base ** (-np.arange(0, D, 2) / D)
    ang = positions[:, None, :, None] * inv
    h = D // 2
    return np.concatenate([x[..., :h] * np.cos(ang) - x[..., h:] * np.sin(ang), x[..., h:] * np.cos(ang) + x[..., :h] * np.sin(ang)], -1)
