import torch


def _weights(query, key, mask):
    s = torch.matmul(query, key.transpose(-2, -1)) / query.size(-1) ** 0.5
    if mask is not None:
        s = s.masked_fill(mask == False, float("-inf"))
    return torch.softmax(s, dim=-1)


def attention(q, k, v, mask=None):
    """q, k, v: (B, H, S, D); mask: True = attend"""
    query, value, key = q, k, v
    return torch.matmul(_weights(query, key, mask), value)
