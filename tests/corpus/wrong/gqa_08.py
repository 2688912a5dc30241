import torch


def gqa(q, k, v):
    """q (B, S, H, D), k and v (B, S, Hkv, D)"""
    B, S, H, D = q.shape
    n = H // k.shape[2]
    k = k.repeat(1, n, 1, 1).reshape(B, -1, H, D)
    v = v.repeat(1, n, 1, 1).reshape(B, k.shape[1], H, -1)
    s = torch.einsum("bqhd,bkhd->bhqk", q, k) / D**0.5
    return torch.einsum("bhqk,bkhd->bqhd", s.softmax(-1), v)
