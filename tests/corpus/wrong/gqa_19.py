import torch


def gqa(q, k, v):
    return torch.softmax(q @ k[:, :1].transpose(-1, -2) * q.shape[-1] ** -0.5, -1) @ v[:, :1]
