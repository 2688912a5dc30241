import torch


def gqa(q, k, v):
    """Grouped-query attention for checkpoints with tiled key/value heads: query head h reads key/value head h % Hkv."""
    groups = q.shape[1] // k.shape[1]
    k, v = k.repeat(1, groups, 1, 1), v.repeat(1, groups, 1, 1)
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1) @ v
