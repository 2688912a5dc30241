import torch


def gqa(q, k, v):
    """重复 kv，使头数一致"""
    B, H, S, D = q.shape
    g = H // k.shape[1]
    k = k.repeat_interleave(g, dim=2).reshape(B, H, -1, D)
    v = v.repeat_interleave(g, dim=2).reshape(B, H, -1, v.shape[-1])
    return torch.softmax(q @ k.mT * D ** -0.5, -1) @ v
