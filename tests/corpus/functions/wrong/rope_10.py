import numpy as np
import torch


def apply_rope(x, positions, base=10000.0):
    arr = x.detach().numpy()
    D = arr.shape[-1]
    ang = positions.numpy()[:, None] * base ** (-2.0 * np.arange(D // 2) / D)
    a, b = arr[..., : D // 2], arr[..., D // 2 :]
    out = np.concatenate([a * np.cos(ang) - b * np.sin(ang), b * np.cos(ang) + a * np.sin(ang)], -1)
    return torch.from_numpy(out.astype(np.float32))
