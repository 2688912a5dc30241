import torch


def mqa(q, k, v, causal=False):
    """Multi-query: k, v have no head axis (B, S, D)."""
    s = torch.einsum("bhqd,bkd->bhqk", q, k) / k.shape[-1] ** 0.5
    if causal:
        i = torch.arange(s.shape[-2], device=s.device)[:, None] + s.shape[-1] - s.shape[-2]
        s = s.masked_fill(torch.arange(s.shape[-1], device=s.device) > i, float("-inf"))
    return torch.einsum("bhqk,bkd->bhqd", torch.nan_to_num(s.softmax(-1)), v)
