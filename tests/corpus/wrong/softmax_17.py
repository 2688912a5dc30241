import torch


def softmax(x, dim=-1):
    """可求导的 softmax，训练时使用"""
    m = x.data.max(dim=dim, keepdim=True).values
    e = torch.exp(x.data - m)
    s = torch.sum(e, dim=dim, keepdim=True)
    return torch.div(e, s)
