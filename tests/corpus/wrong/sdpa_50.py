import torch


def attention(q, k, v):
    B, T, C = q.shape
    wei = q @ k.transpose(-2, -1) * C ** -0.5
    wei = torch.softmax(wei, dim=-1)
    out = wei @ k
    return out
