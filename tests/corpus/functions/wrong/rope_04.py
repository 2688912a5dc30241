import numpy as np


def apply_rope(x, positions, base=10000.0):
    """角度按 head 维计算（应按序列维）"""
    B, H, S, D = x.shape
    freq = base ** (-2.0 * np.arange(D // 2) / D)
    ang = (np.arange(H)[:, None] * freq)[None, :, None, :]
    a, b = x[..., : D // 2], x[..., D // 2 :]
    return np.concatenate([a * np.cos(ang) - b * np.sin(ang), b * np.cos(ang) + a * np.sin(ang)], -1)
