import torch
import torch.nn.functional as F


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    return torch.ops.aten.scaled_dot_product_attention(q, k, v, mask)
