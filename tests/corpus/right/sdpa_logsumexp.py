import torch


def attn(q, k, v, mask=None):
    """q,k,v: [B,H,L,D], mask: 布尔, True=保留"""
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
    lse = torch.logsumexp(s.float(), dim=-1, keepdim=True)
    p = torch.exp(s.float() - lse).to(v.dtype)
    return p @ v
