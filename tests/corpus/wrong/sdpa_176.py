import torch
import torch.nn.functional as F


def weights(q, k):
    return F.softmax(q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5, dim=-1)


def attention(q, k, v):
    """(B, H, S, D)"""
    w = weights(q, k)
    return F.softmax(w, dim=-1) @ v
