import torch


def gqa(q, k, v):
    """Self-attention: queries and keys of the same length. q (B, S, H, D); k, v (B, S, Hkv, D)"""
    b, s, h, d = q.shape
    g = h // k.shape[2]
    k = torch.repeat_interleave(k, g, dim=2)
    v = torch.repeat_interleave(v, g, dim=2)
    a = torch.einsum("bihd,bjhd->bhij", k, q) * d ** -0.5
    return torch.einsum("bhij,bjhd->bihd", a.softmax(-1), v)
