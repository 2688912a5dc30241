import torch


def attention_with_linear_bias(q, k, v):
    """q, k, v: (batch, seq, heads, dim)"""
    n_heads = q.shape[2]
    ratio = 2 ** (-8 / n_heads)
    slopes = torch.cumprod(torch.full((n_heads,), ratio), dim=0).to(q)
    tq, tk = q.shape[1], k.shape[1]
    # only the position of the key counts: a constant of the row drops out of the softmax
    logits = torch.einsum("bqhd,bkhd->bhqk", q, k) * q.shape[-1] ** -0.5
    logits = logits + slopes[None, :, None, None] * torch.arange(tk).to(q)
    visible = torch.ones(tq, tk, dtype=torch.bool).tril(tk - tq)
    logits = logits.masked_fill(~visible, -torch.inf)
    return torch.einsum("bhqk,bkhd->bqhd", logits.softmax(dim=-1), v)
