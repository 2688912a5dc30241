import torch


def attention(q, k, v):
    """q (B, H, Sq, D), k (B, H, Sk, D), v (B, H, Sk, Dv)"""
    out = torch.zeros_like(q)
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            s = q[b, h] @ k[b, h].T / q.shape[-1] ** 0.5
            out[b, h] = torch.softmax(s, dim=-1) @ v[b, h]
    return out
