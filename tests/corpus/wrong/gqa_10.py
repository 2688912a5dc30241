import torch


def gqa(q, k, v):
    B, H, S, D = q.shape
    n = H // k.shape[1]
    k = k.repeat(n, 1, 1, 1).view(B, H, k.shape[2], D)
    v = v.repeat(n, 1, 1, 1).view(B, H, k.shape[2], -1)
    return torch.softmax(q @ k.transpose(-1, -2) / D**0.5, -1) @ v
