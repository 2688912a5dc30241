import torch


def attn_func(q, k, v, softmax_scale=None):
    """q: (batch, seqlen_q, nheads, headdim); k, v: (batch, seqlen_k, nheads, headdim)."""
    if softmax_scale is None:
        softmax_scale = q.shape[-1] ** -0.5
    s = torch.einsum("bqhd,bkhd->bhqk", q * softmax_scale, k)
    p = s.softmax(dim=-1)
    return torch.einsum("bhqk,bkhd->bqhd", p, v)
