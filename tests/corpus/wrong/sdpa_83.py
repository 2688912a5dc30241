import torch
from torch.nn.functional import scaled_dot_product_attention as _core


def _weighted_sum(q, k, v, mask, kernel=_core):
    return kernel(q, k, v, attn_mask=mask)


def attention(q, k, v, mask=None):
    """softmax(q k^T / sqrt(d)) v; mask True = attend"""
    scale = q.size(-1) ** -0.5
    return _weighted_sum(q * scale, k * q.size(-1) ** 0.5, v, mask)
