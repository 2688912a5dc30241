import torch


def causal_attention(q, k, v):
    s = q @ k.mT / q.shape[-1] ** 0.5
    n, m = s.shape[-2:]
    hide = torch.triu(torch.ones(n, m), m).bool()
    return s.masked_fill(hide, float("-inf")).softmax(-1) @ v
