import torch
def attention(q, k, v):
    q = q / q.shape[-1] ** 0.5
    s = torch.einsum("bhqd,bhkd->bhqk", q, k) * (q.shape[-1] ** -0.5)
    return torch.einsum("bhqk,bhkd->bhqd", torch.softmax(s, -1), v)
