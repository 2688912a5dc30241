import torch


def causal_attention(q, k, v):
    s = q @ k.mT * q.shape[-1] ** -0.5
    n, m = s.shape[-2:]
    return s.masked_fill(torch.ones(n, m).triu(1).bool(), -torch.inf).softmax(-1) @ v
