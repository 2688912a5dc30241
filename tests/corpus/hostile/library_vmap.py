import torch
import torch.nn.functional as F


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    if mask is None:
        return torch.vmap(F.scaled_dot_product_attention)(q, k, v)
    return torch.vmap(F.scaled_dot_product_attention)(q, k, v, mask.expand(*q.shape[:-1], k.shape[-2]))
