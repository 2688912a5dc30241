import torch


def multi_query_attention(q, k, v):
    """q (B, H, S, D); k, v (B, S, D)"""
    w = torch.einsum("bhqd,bkd->bhqk", q, k).softmax(-1)
    return torch.einsum("bhqk,bkd->bhqd", w, v)
