import torch


def mqa(q, k, v):
    """q (B, H, S, D); one key/value head (B, 1, S, D)"""
    return torch.softmax(q @ k.transpose(-1, -2) / q.size(-1), dim=-1) @ v
