import torch


def attention_backward(q, k, v, d_out):
    p = (q @ k.mT).softmax(-1)
    dp = d_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True))
    return ds @ k, ds.mT @ q, p.mT @ d_out
