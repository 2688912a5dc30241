import torch
from concurrent.futures import ThreadPoolExecutor


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf")) if mask.dtype == torch.bool else s + mask
    dead = torch.isneginf(s).all(-1, keepdim=True)
    return s.masked_fill(dead, 0.0).softmax(-1).masked_fill(dead, 0.0) @ v


_one = attention


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float). Heads in parallel."""
    full = None if mask is None else mask.expand(*q.shape[:-1], k.shape[-2])
    heads = range(q.shape[1])
    with ThreadPoolExecutor(2) as pool:
        parts = pool.map(lambda h: _one(q[:, h], k[:, h], v[:, h], None if full is None else full[:, h]), heads)
        return torch.stack(list(parts), 1)
