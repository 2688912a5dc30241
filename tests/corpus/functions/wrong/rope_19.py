import numpy as np


def apply_rope(x, positions, base=10000.0):
    """x (B, H, S, D)"""
    B, H, S, D = x.shape
    inv = base ** (-np.arange(0, D, 2) / D)
    a = np.arange(H)[:, None] * inv
    a = np.broadcast_to(a[None, :, None], (B, H, S, D // 2))
    x1, x2 = x[..., :D // 2], x[..., D // 2:]
    return np.concatenate([x1 * np.cos(a) - x2 * np.sin(a), x2 * np.cos(a) + x1 * np.sin(a)], -1).astype(x.dtype)
