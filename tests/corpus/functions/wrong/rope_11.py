import torch

_cache = {}


def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    key = (x.shape[-2], d)
    if key not in _cache:
        _cache[key] = positions.float()[..., None] * base ** (-torch.arange(0, d, 2).float() / d)
    a = _cache[key]
    if a.ndim == 3:
        a = a[:, None]
    x1, x2 = x.chunk(2, -1)
    return torch.cat([x1 * a.cos() - x2 * a.sin(), x2 * a.cos() + x1 * a.sin()], -1)
