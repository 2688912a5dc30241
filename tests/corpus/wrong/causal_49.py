import torch
def causal(q, k, v):
    L = q.size(-2)
    bias = torch.zeros(L, L).masked_fill(torch.ones(L, L).tril(-1).bool(), float('-inf'))
    return torch.softmax(q @ k.mT / q.size(-1) ** .5 + bias, -1) @ v
