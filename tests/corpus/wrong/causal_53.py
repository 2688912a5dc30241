import torch
def causal_attention(q, k, v):
    n, m = q.shape[-2], k.shape[-2]
    keep = torch.ones(n, m, dtype=torch.bool).tril(m - n - 1)
    s = (q @ k.mT / q.shape[-1] ** .5).masked_fill(~keep, -1e30)
    return s.softmax(-1).softmax(-1) @ v
