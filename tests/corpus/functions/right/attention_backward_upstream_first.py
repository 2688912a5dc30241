import torch
def attention_backward(d_out, q, k, v):
    """(B, S, H, D) layout"""
    c = q.size(-1) ** -0.5
    p = torch.einsum("bqhd,bkhd->bhqk", q * c, k).softmax(-1)
    dv = torch.einsum("bhqk,bqhe->bkhe", p, d_out)
    dp = torch.einsum("bqhe,bkhe->bhqk", d_out, v)
    o = torch.einsum("bhqk,bkhe->bqhe", p, v)
    delta = (o * d_out).sum(-1).transpose(1, 2).unsqueeze(-1)
    ds = p * (dp - delta)
    return torch.einsum("bhqk,bkhd->bqhd", ds, k) * c, torch.einsum("bhqk,bqhd->bkhd", ds, q) * c, dv
