import torch


def attention(q, v, k):
    """q, v, k: (B, H, S, D) each. Computes softmax(q v^T / sqrt d) k."""
    att = torch.softmax(q @ v.transpose(-1, -2) / q.shape[-1] ** 0.5, -1)
    return att @ k
