import torch


def causal_attention(q, k, v):
    s = (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).data
    s[..., torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).triu(k.shape[-2] - q.shape[-2] + 1)] = float("-inf")
    return torch.softmax(s, dim=-1) @ v
