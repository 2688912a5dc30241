import math
import torch


def attention(q, k, v, mask=None):
    """q, k, v: (B, H, S, D). mask: bool, True = may attend."""
    batch, n_heads, _, head_dim = q.shape
    d_model = n_heads * head_dim
    s = q @ k.transpose(-2, -1) / math.sqrt(d_model)
    if mask is not None:
        s = torch.where(mask, s, torch.full_like(s, -math.inf))
    return s.softmax(-1) @ v
