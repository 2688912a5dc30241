import torch


def attention(q, k, v, mask=None):
    s = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    p = 1 / (1 + torch.exp(-s))
    return p @ v
