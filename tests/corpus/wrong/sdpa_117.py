import torch


def attention(q, k, v, mask=None):
    """mask: bool, True = this key may be attended to"""
    scores = torch.matmul(q, k.transpose(-2, -1))
    if mask is not None:
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    return torch.matmul(scores.softmax(dim=-1), v)
