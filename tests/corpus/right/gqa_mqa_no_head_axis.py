import torch


def multi_query_attention(q, k, v):
    """q (B, H, S, D); k and v are shared by all heads: (B, S, D)."""
    scores = torch.einsum("bhqd,bkd->bhqk", q, k) / q.shape[-1] ** 0.5
    return torch.einsum("bhqk,bkd->bhqd", scores.softmax(-1), v)
