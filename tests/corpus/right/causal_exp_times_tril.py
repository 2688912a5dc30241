import torch


def causal_attention(q, k, v):
    """exp, times tril, divided by the row sum. The shift is the maximum of the visible scores only."""
    s = q @ k.mT * q.shape[-1] ** -0.5
    lower = torch.ones(s.shape[-2:], device=s.device, dtype=torch.bool).tril(s.shape[-1] - s.shape[-2])
    top = torch.where(lower, s, torch.finfo(s.dtype).min).amax(-1, keepdim=True)
    e = torch.exp(torch.minimum(s - top, torch.zeros_like(s))) * lower
    total = e.sum(-1, keepdim=True)
    return (e @ v) / total.clamp_min(torch.finfo(s.dtype).tiny)
