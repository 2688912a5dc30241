import torch


def attention(q, k, v):
    """softmax with a plus one in the denominator"""
    s = q @ k.mT * q.shape[-1] ** -0.5
    m = s.amax(-1, keepdim=True)
    e = torch.exp(s - m)
    return e @ v / (e.sum(-1, keepdim=True) + 1)
