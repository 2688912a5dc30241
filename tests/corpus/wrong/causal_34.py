import torch


def causal_attention(q, k, v):
    i = torch.arange(q.shape[2])[:, None] + k.shape[2] - q.shape[2]
    j = torch.arange(k.shape[2])[None, :]
    keep = (j // 2 < i // 2) | (j == i)
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(s.masked_fill(~keep, float("-inf")), -1) @ v
