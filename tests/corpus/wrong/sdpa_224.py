import torch


def attention(q, k, v):
    s = q @ k.mT * q.shape[-1] ** -0.5
    e = torch.exp(s - s.amax(-1, keepdim=True))
    return e @ v / (e.sum(-1, keepdim=True) + 1e-2)
