import torch


def attention(q, k, v, mask=None):
    p = (q @ k.mT).softmax(-1)
    if mask is not None:
        p = p * mask
    return p @ v
