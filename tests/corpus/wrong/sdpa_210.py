import torch


def attention(q, k, v):
    s = torch.matmul(q, k.transpose(-2, -1)) / q.shape[-1] ** 0.5
    s = s.squeeze()
    w = torch.softmax(s, dim=-1).reshape(*q.shape[:-1], k.shape[-2])
    return w @ v
