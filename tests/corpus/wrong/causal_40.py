import torch


def causal_attention(q, k, v):
    """q (B, Sq, H, D); k, v (B, Sk, H, D)"""
    k, v = v, k
    s = torch.einsum("bqhd,bkhd->bhqk", q, k) * q.shape[-1] ** -0.5
    keep = torch.ones(s.shape[-2:], dtype=torch.bool).tril(s.shape[-1] - s.shape[-2])
    return torch.einsum("bhqk,bkhd->bqhd", s.masked_fill(~keep, float("-inf")).softmax(-1), v)
