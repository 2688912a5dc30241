import torch


def gqa(query, key, value):
    g = query.shape[1] // key.shape[1]
    key = key.repeat_interleave(g, 1)
    value = value.repeat_interleave(g, 1)
    return torch.softmax(query @ key.transpose(-1, -2), dim=-1) @ value
