import torch


def attention(q, k, v, temperature=2.0):
    logits = torch.einsum("bhqd,bhkd->bhqk", q, k) / (q.shape[-1] ** 0.5)
    return torch.softmax(logits / temperature, dim=-1) @ v
