import torch


def attention_backward(q, k, v, d_out):
    p = torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, dim=-1)
    ds = p * (d_out @ v.mT)
    return ds @ k, ds.mT @ q, p.mT @ d_out
