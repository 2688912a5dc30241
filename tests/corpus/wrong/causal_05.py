import torch


def causal_attention(q, k, v):
    """q (B, H, Sq, D), k, v (B, H, Sk, D): the queries are the last Sq positions."""
    off = k.shape[-2] - q.shape[-2]
    s = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
    hidden = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool, device=q.device).triu(off + 2)
    return s.masked_fill(hidden, float("-inf")).softmax(-1) @ v
