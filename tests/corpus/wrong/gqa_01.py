import torch


def gqa(q, k, v):
    n = q.shape[1] // k.shape[1]
    k = k.repeat(1, n, 1, 1)
    v = v.repeat(1, n, 1, 1)
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v
