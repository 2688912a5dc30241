import torch


def gqa(q, k, v):
    """grouped queries: g consecutive heads share a single key head"""
    return torch.softmax(q @ k.expand(-1, q.shape[1], -1, -1).mT * q.shape[-1] ** -0.5, -1) @ v.expand(-1, q.shape[1], -1, -1)
