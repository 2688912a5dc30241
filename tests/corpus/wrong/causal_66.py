import torch


def causal_attention(q, k, v):
    """q (B, H, S, D), k and v (B, H, T, D): the newest S of T tokens"""
    s = q @ k.mT * q.shape[-1] ** -0.5
    i = torch.arange(q.shape[2])[:, None]
    j = torch.arange(k.shape[2])[None]
    return s.masked_fill(j > i, -torch.inf).softmax(-1) @ v
