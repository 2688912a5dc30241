import torch


def causal_attention(q, k, v):
    """(B, H, S, D)"""
    s = q @ k.mT * q.shape[-1] ** -0.5
    i, j = torch.arange(q.shape[2])[:, None], torch.arange(k.shape[2])[None]
    return torch.where(j > i, -torch.inf, s).softmax(-1) @ v
