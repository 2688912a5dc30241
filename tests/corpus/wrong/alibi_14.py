import torch


def alibi_attention(q, k, v):
    """q, k, v (B, S, H, D), 因果"""
    B, S, H, D = q.shape
    m = 2.0 ** (-8.0 * torch.arange(1, H + 1) / H)
    rel = torch.arange(S)[None, :] - torch.arange(S)[:, None]
    s = torch.einsum("bihd,bjhd->bhij", q, k) / D**0.5 + m[:, None, None] * rel
    s = s.masked_fill(rel > 0, -torch.inf)
    w = torch.softmax(s, dim=2)
    return torch.einsum("bhij,bjhd->bihd", w, v)
