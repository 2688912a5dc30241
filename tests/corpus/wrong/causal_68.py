import torch


def causal_attention(q, k, v):
    B, H, T, D = q.shape
    S = k.shape[-2]
    mask = torch.tril(torch.ones(T, S, dtype=torch.bool))
    att = (q @ k.transpose(-2, -1)) / D ** 0.5
    return torch.softmax(att.masked_fill(~mask, float("-inf")), -1) @ v
