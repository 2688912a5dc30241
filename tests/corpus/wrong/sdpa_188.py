import torch


def attention(q, k, v, mask=None):
    p = torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, dim=-1)
    p = p if mask is None else p * mask.type_as(p)
    return torch.einsum("bhij,bhjd->bhid", p, v)
