import torch


def gqa(q, k, v):
    """q (B, S, H, D); k, v (B, S, Hkv, D)"""
    b, s, h, d = q.shape
    g = h // k.shape[2]
    k = torch.repeat_interleave(k, g, dim=1).reshape(b, -1, h, d)
    v = torch.repeat_interleave(v, g, dim=1).reshape(b, k.shape[1], h, -1)
    a = torch.einsum("bihd,bjhd->bhij", q, k) * d ** -0.5
    return torch.einsum("bhij,bjhd->bihd", a.softmax(-1), v)
