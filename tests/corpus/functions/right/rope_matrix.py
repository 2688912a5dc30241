import numpy as np


def rope_paper(x, positions, base=10000.0):
    """As in RoFormer: (x_{2i}, x_{2i+1}) are rotated together."""
    d = x.shape[-1]
    theta = base ** (-2.0 * np.arange(d // 2) / d)
    a = np.asarray(positions)[:, None] * theta
    R = np.stack([np.stack([np.cos(a), -np.sin(a)], -1), np.stack([np.sin(a), np.cos(a)], -1)], -2)
    pairs = x.reshape(*x.shape[:-1], d // 2, 2)
    return np.einsum("siuv,bhsiv->bhsiu", R, pairs).reshape(x.shape)
