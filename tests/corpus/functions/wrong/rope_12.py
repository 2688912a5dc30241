import numpy as np
def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    inv = 1000.0 ** (-np.arange(0, D, 2) / D)
    ang = np.asarray(positions)[..., None] * inv
    if ang.ndim == 3: ang = ang[:, None]
    x1, x2 = np.split(x, 2, -1)
    return np.concatenate([x1 * np.cos(ang) - x2 * np.sin(ang), x1 * np.sin(ang) + x2 * np.cos(ang)], -1)
