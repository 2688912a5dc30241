import torch


def causal_attention(q, k, v):
    """下三角 mask"""
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    s = torch.tril(s, diagonal=k.shape[2] - q.shape[2])
    return torch.softmax(s, dim=-1) @ v
