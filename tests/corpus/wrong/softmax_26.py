import torch


def softmax(x, dim=-1):
    x = x - x.amax(dim=dim, keepdim=True)
    e = torch.exp(x)
    return e / (e.sum(dim=dim, keepdim=True) + 1e-2)   # avoid a division by zero
