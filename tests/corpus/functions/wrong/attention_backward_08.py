import torch


def attention_backward(q, k, v, d_out):
    c = q.shape[-1] ** -0.5
    p = torch.softmax(q @ k.mT * c, dim=-1)
    dp = d_out @ v.mT
    ds = p * (dp - (p * dp).sum(dim=-2, keepdim=True)) * c
    return ds @ k, ds.mT @ q, p.mT @ d_out
