import torch
import torch.nn.functional as F


def attention(q, k, v):
    """softmax(QK^T / sqrt(d)) V"""
    q = F.normalize(q, dim=-1)
    k = F.normalize(k, dim=-1)
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return s.softmax(dim=-1) @ v
