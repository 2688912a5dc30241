import torch
def attention(q, k, v):
    s = torch.einsum("bhqd,bhkd->bhqk", q, k) * q.shape[-1] ** 0.5
    return torch.einsum("bhqk,bhkd->bhqd", s.softmax(2), v)
