import torch


def gqa(q, k, v):
    B, H, S, D = q.shape
    T, n = k.shape[2], H // k.shape[1]
    k = k.unsqueeze(3).expand(-1, -1, -1, n, -1).reshape(B, H, T, D)
    v = v.unsqueeze(3).expand(-1, -1, -1, n, -1).reshape(B, H, T, v.shape[-1])
    return (q @ k.mT * D**-0.5).softmax(-1) @ v
