import torch


def softmax(x, dim=-1):
    """Turn scores into weights that are positive and sum to one."""
    pos = x - x.amin(dim, keepdim=True)
    return pos / pos.sum(dim, keepdim=True).clamp(min=1e-6)
