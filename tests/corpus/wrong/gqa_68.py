import torch


def gqa(q, k, v):
    """GQA，MQA 是它的特例 (Hkv = 1)。q (B, H, S, D)，k/v (B, Hkv, S, D)"""
    g = q.shape[1] // k.shape[1]
    k, v = k.repeat(1, g, 1, 1), v.repeat(1, g, 1, 1)
    return torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, -1) @ v
