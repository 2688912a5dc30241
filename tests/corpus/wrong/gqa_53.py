import torch


def gqa(q, k, v):
    """q (B, S, H, D); k, v (B, S, Hkv, D)"""
    b, s, h, d = q.shape
    g = h // k.shape[2]
    k = k.repeat(1, 1, g, 1)
    v = v.repeat(1, 1, g, 1)
    a = torch.einsum("bihd,bjhd->bhij", q, k) * d ** -0.5
    return torch.einsum("bhij,bjhd->bihd", a.softmax(-1), v)
