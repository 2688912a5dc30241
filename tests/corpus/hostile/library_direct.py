import torch
import torch.nn.functional as F


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
