import torch


def attention(q, k, v, mask=None):
    s = torch.matmul(q, k.transpose(-2, -1)) / q.shape[-1] ** 0.5
    if mask is not None:
        s.masked_fill(~mask, float("-inf"))
    return s.softmax(-1) @ v
