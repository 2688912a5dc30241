import torch


def causal_attention(q, k, v):
    tri = torch.tril(torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool), k.shape[-2] - q.shape[-2])
    logits = torch.matmul(q, k.transpose(-1, -2)) / q.shape[-1] ** 0.5 + tri
    return torch.matmul(torch.softmax(logits, dim=-1), v)
