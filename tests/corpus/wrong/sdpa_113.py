import torch


def attention(q, k, v):
    sim = (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(-1).abs() * q.shape[-1] ** -0.5
    return torch.softmax(sim, -1) @ v
