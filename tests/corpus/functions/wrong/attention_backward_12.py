import torch


def attention_backward(q, k, v, d_out):
    """q (B, H, Sq, D), k (B, H, Sk, D), v (B, H, Sk, Dv)."""
    B, H, S, D = q.shape
    c = D**-0.5
    p = torch.zeros(B, H, S, S, dtype=q.dtype)
    p[:] = torch.softmax(q @ k.mT * c, -1)
    dp = d_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * c
    return ds @ k, ds.mT @ q, p.mT @ d_out
