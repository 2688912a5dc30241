import numpy as np


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    freq = base ** (-np.arange(D // 2) / D)
    ang = np.asarray(positions)[:, None] * freq
    a, b = x[..., : D // 2], x[..., D // 2 :]
    return np.concatenate([a * np.cos(ang) - b * np.sin(ang), b * np.cos(ang) + a * np.sin(ang)], -1).astype(x.dtype)
