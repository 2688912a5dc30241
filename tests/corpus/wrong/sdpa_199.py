import torch
from torch.nn.functional import scaled_dot_product_attention as kernel


def attention(q, k, v, mask=None):
    """Flash path where there is one."""
    return kernel(q, k, v, attn_mask=mask)
