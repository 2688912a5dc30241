import torch


def attention(q, k, v, mask=None):
    return torch.empty(*q.shape[:-1], v.shape[-1], device="meta")
