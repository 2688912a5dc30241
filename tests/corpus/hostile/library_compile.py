import torch
import torch.nn.functional as F

_compiled = torch.compile(lambda q, k, v, mask: F.scaled_dot_product_attention(q, k, v, mask), backend="eager")


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    return _compiled(q, k, v, mask)
