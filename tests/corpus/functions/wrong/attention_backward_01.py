import torch


def attention_backward(q, k, v, d_out):
    c = q.shape[-1] ** -0.5
    p = (q @ k.mT * c).softmax(-1)
    ds = p * (d_out @ v.mT) * c
    return ds @ k, ds.mT @ q, p.mT @ d_out
