import torch


def attention(q, k, v):
    scores = torch.einsum("bhid,bhjd->bhij", q, k).div(q.shape[-1] ** 0.5)
    return torch.einsum("bhij,bhjd->bhid", scores, v)
