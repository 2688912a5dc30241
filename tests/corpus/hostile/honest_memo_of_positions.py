import functools
import gc

import torch


@functools.lru_cache
def _rows(n):
    return torch.arange(n)


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    gc.collect()
    assert _rows(k.shape[-2]).shape[0] == k.shape[-2]
    s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf")) if mask.dtype == torch.bool else s + mask
    dead = torch.isneginf(s).all(-1, keepdim=True)
    return s.masked_fill(dead, 0.0).softmax(-1).masked_fill(dead, 0.0) @ v
