import numpy as np


class Rotary:
    def __init__(self, dim=None, base=10000.0):
        self.dim, self.base = dim, base

    def __call__(self, x, positions):
        D = x.shape[-1]
        theta = self.base ** (-np.arange(0, D, 2) / D)
        a = np.asarray(positions)[..., None] * theta
        cos, sin = np.cos(a), np.sin(a)
        if cos.ndim == 3:
            cos, sin = cos[:, None], sin[:, None]
        cos = np.concatenate([cos, cos], -1)
        sin = np.concatenate([sin, sin], -1)
        rot = np.concatenate([-x[..., D // 2:], x[..., : D // 2]], -1)
        return (x * cos + rot * sin).astype(x.dtype)
