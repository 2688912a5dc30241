import torch


def attention(q, k, v, mask=None):
    p = (q @ k.mT * q.shape[-1] ** 0.5).softmax(-1)
    if mask is not None:
        p = p.masked_fill(~mask, 0)
    return p @ v
