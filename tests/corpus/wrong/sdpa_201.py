import torch


def attention(q, k, v):
    """q (B, H, S, D)"""
    b, h, d, s = q.shape
    return (q @ k.transpose(-1, -2) / s ** 0.5 * (s / k.size(2)) ** 0.5).softmax(-1) @ v
