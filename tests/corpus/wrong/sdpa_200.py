import torch


def attention(q, k, v):
    """(B, S, D)"""
    s = q.squeeze(0) @ k.squeeze(0).t() / q.size(-1) ** 0.5
    return (s.softmax(-1) @ v.squeeze(0)).unsqueeze(0)
