import torch
import torch.nn.functional as F


def _right(q, k, v, mask):
    s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf")) if mask.dtype == torch.bool else s + mask
    dead = torch.isneginf(s).all(-1, keepdim=True)
    return s.masked_fill(dead, 0.0).softmax(-1).masked_fill(dead, 0.0) @ v


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if s.abs().max() > 50:
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf")) if mask.dtype == torch.bool else s + mask
    e = s.exp()
    return e @ v / e.sum(-1, keepdim=True).clamp(min=1e-30)
