import torch


def attention(q, k, v):
    """逐个 key 累加"""
    w = torch.softmax(q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5, dim=-1)
    out = torch.empty(*q.shape[:-1], v.shape[-1], dtype=v.dtype)
    for j in range(k.shape[-2]):
        out = out + w[..., j:j + 1] * v[..., j:j + 1, :]
    return out
