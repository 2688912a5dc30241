import torch


def gqa(q, k, v):
    """Query head h reads key/value head h // g."""
    g = q.shape[1] // k.shape[1]
    k, v = k.repeat(1, g, 1, 1), v.repeat(1, g, 1, 1)
    return torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, -1) @ v
