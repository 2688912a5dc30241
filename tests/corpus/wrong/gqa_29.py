import torch


def gqa(q, k, v):
    """q (B, H, S, D), k v (B, Hkv, S, D)"""
    n = q.shape[1] // k.shape[1]
    k = k.repeat_interleave(n, dim=2)
    v = v.repeat_interleave(n, dim=2)
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v
