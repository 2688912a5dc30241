import torch
import torch.nn.functional as F


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    return torch._scaled_dot_product_attention_math(q, k, v, mask)[0]
