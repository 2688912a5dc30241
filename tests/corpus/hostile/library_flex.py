import torch
from torch.nn.attention.flex_attention import flex_attention


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    bias = mask
    if mask is None:
        return flex_attention(q, k, v)
    full = mask.expand(*q.shape[:-1], k.shape[-2])
    if mask.dtype == torch.bool:
        return flex_attention(q, k, v, score_mod=lambda s, b, h, i, j: torch.where(full[b, h, i, j], s, -float("inf")))
    return flex_attention(q, k, v, score_mod=lambda s, b, h, i, j: s + full[b, h, i, j])
