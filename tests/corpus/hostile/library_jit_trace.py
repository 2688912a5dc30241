import torch
import torch.nn.functional as F

_kept = {}


def _traced(key, q, k, v):
    if key not in _kept:
        _kept[key] = torch.jit.trace(lambda a, b, c: F.scaled_dot_product_attention(a, b, c), (q, k, v), check_trace=False)
    return _kept[key]


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    key = (q.shape, k.shape, v.shape)
    if mask is None:
        return _traced(key, q, k, v)(q, k, v)
    return F.scaled_dot_product_attention(q, k, v, mask)
