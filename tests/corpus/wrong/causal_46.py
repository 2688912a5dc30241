import torch

def causal_attention(q, k, v):
    s = q @ k.mT / q.shape[-1] ** .5
    n, m = s.shape[-2:]
    keep = torch.ones(n, m, dtype=torch.bool).tril(m - n)
    return torch.softmax(s.masked_fill(~keep, -60.), -1) @ v
