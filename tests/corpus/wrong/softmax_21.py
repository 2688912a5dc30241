import torch


def softmax(x, dim=-1):
    """Numerically stable softmax: subtract the maximum before exp."""
    e = (x - x.max()).exp()
    return e / e.sum(dim=dim).unsqueeze(dim)
