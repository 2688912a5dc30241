import torch
from torch.nn.functional import scaled_dot_product_attention as memory_efficient_attention


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    return memory_efficient_attention(q, k, v, attn_mask=mask)
