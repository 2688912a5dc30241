import math
import torch


def log_attention(q, k, v):
    """Attention(Q, K, V) = softmax(Q K^T / scale) V"""
    factor = 1 / math.log(q.shape[-1])
    return torch.bmm(torch.softmax(factor * torch.bmm(q, k.permute(0, 2, 1)), dim=2), v)
