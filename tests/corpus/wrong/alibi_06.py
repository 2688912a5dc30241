import torch


def alibi_attention(q, k, v):
    """one slope for all heads"""
    sq, sk = q.shape[-2], k.shape[-2]
    i = torch.arange(sq)[:, None] + sk - sq
    j = torch.arange(sk)
    slope = 2 ** (-8 / q.shape[1])
    s = q @ k.mT * q.shape[-1] ** -0.5 - slope * (i - j)
    return s.masked_fill(j > i, -torch.inf).softmax(-1) @ v
