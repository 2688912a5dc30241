import torch


def softmax(x, dim=-1):
    lowest = x.amin(dim=dim, keepdim=True)
    e = torch.exp(x - lowest)    # keep every exponent positive
    return e / e.sum(dim=dim, keepdim=True)
