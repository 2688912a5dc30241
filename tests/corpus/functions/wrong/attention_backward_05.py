import torch


def attention_backward(q, k, v, d_out):
    c = q.shape[-1] ** -0.5
    p = (q @ k.mT * c).softmax(-1)
    dp = d_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True))
    return ds @ k * c, ds.mT @ q * c, ds.mT @ d_out
