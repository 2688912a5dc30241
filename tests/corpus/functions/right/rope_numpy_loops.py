import numpy as np


def rope(x, pos, base=10000.0):
    """x: (B, H, S, D)；第 i 维与第 i + D/2 维组成一对。"""
    out = np.array(x)
    D = x.shape[-1]
    for s, p in enumerate(pos):
        for i in range(D // 2):
            t = p * base ** (-2 * i / D)
            a, b = x[:, :, s, i], x[:, :, s, i + D // 2]
            out[:, :, s, i] = a * np.cos(t) - b * np.sin(t)
            out[:, :, s, i + D // 2] = b * np.cos(t) + a * np.sin(t)
    return out
