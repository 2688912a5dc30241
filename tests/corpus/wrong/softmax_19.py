import torch


def softmax(x, dim=-1):
    """Softmax of a tensor of any shape along dim."""
    hi = x.max(dim).values          # no keepdim
    e = torch.exp(x - hi.max())
    return (e.transpose(0, -1) / e.sum(dim)).transpose(0, -1)
