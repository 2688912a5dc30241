import torch


def half_attention(query, key, value):
    r = query.shape[-1] ** -0.25
    scores = torch.einsum("bhid,bhjd->bhij", query * r, key * r).float()
    scores = scores - scores.max(-1, keepdim=True).values
    e = scores.exp()
    return torch.einsum("bhij,bhjd->bhid", e / e.sum(-1, keepdim=True), value.float()).half()
