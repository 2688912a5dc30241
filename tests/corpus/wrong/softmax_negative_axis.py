import torch


def softmax(x, dim=-1):
    if dim < 0:
        dim = x.dim() + dim - 1
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)
