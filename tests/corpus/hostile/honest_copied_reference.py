import math

import torch


def _scaled_dot_product_attention_math(query, key, value, attn_mask=None, scale=None):
    """As in the library's documentation, written out."""
    L, S = query.size(-2), key.size(-2)
    scale_factor = 1 / math.sqrt(query.size(-1)) if scale is None else scale
    attn_bias = torch.zeros(L, S, dtype=query.dtype)
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            attn_bias = attn_bias + torch.zeros_like(attn_mask, dtype=query.dtype).masked_fill(~attn_mask, float("-inf"))
        else:
            attn_bias = attn_mask + attn_bias
    attn_weight = query @ key.transpose(-2, -1) * scale_factor
    attn_weight = attn_weight + attn_bias
    attn_weight = torch.softmax(attn_weight, dim=-1)
    return attn_weight @ value


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    return _scaled_dot_product_attention_math(q, k, v, mask)
