import torch


def attention(q, k, v):
    """self attention over (B, S, D): q, k, v of the same length"""
    s = torch.einsum("bid,bjd->bji", q, k) / q.shape[-1] ** 0.5
    return torch.bmm(s.softmax(-1), v)
