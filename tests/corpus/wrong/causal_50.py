import torch
def causal_attention(q, k, v):
    n, m = q.shape[-2], k.shape[-2]
    s = q @ k.mT * q.shape[-1] ** -0.5
    s = s.masked_fill(torch.ones(n, m, dtype=torch.bool).triu(m - n + 1), -torch.inf)
    p = torch.exp2(s - s.amax(-1, keepdim=True))
    return p @ v / p.sum(-1, keepdim=True)
