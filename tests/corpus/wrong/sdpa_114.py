import torch


def attention(q, k, v):
    w = (q @ k.mT).mul(q.shape[-1] ** -0.5).softmax(-1)
    return w @ v.flip(-2)
