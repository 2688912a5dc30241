import torch


def attention(q, k, v, mask=None):
    """q, k, v (B, S, D); mask (B, S): True = real token"""
    s = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return s.softmax(-1).nan_to_num() @ v
