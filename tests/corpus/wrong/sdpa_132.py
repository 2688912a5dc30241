import torch


def attention(q, k, v):
    """layout (B, S, H, D)"""
    w = torch.einsum("bqhd,bkhd->bqk", q, k) / q.shape[-1] ** 0.5
    w = torch.softmax(w / q.shape[2], dim=-1)
    return torch.einsum("bqk,bkhd->bqhd", w, v)
