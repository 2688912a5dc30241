import torch


def local_global_attention(q, k, v, window, globals_):
    """q, k, v: (B, S, H, D)"""
    S = q.size(1)
    scores = torch.einsum("bihd,bjhd->bhij", q, k) / q.size(-1) ** 0.5
    i = torch.arange(S)[:, None]
    j = torch.arange(S)[None]
    blocked = (i - j).abs() > window
    for g in globals_:
        blocked = blocked & (i != g) & (j != g)
    scores = scores.masked_fill(blocked, torch.finfo(scores.dtype).min)
    return torch.einsum("bhij,bjhd->bihd", scores.softmax(-1), v)
