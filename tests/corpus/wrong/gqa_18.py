import torch


def gqa(q, k, v):
    """所有 query 头共享平均后的 k、v"""
    k = k.mean(dim=1, keepdim=True)
    v = v.mean(dim=1, keepdim=True)
    return torch.softmax(q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5, -1) @ v
