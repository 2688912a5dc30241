import torch


def attention(q, k, v, mask=None):
    """mask: True = keep."""
    s = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        s = s.masked_fill(mask.logical_not(), 1e4)
    return torch.matmul(torch.softmax(s, dim=-1), v)
