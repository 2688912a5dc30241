import torch


def attention(q, k, v):
    """(B, S, H, D)"""
    a = torch.einsum("bshd,bthd->bhst", q, k) * q.shape[-1] ** -0.5
    a = a.softmax(dim=-1)
    ctx = torch.einsum("bhst,bthd->bhtd", a, v)     # (B, H, S, D)
    return ctx.transpose(1, 2)
