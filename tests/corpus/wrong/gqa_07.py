import torch


def gqa(q, k, v):
    B, H, S, D = q.shape
    n = H // k.shape[1]
    # 把 kv 头扩展到 H 个
    k = k.repeat_interleave(n, dim=2).reshape(B, H, -1, D)
    v = v.repeat_interleave(n, dim=2).reshape(B, H, k.shape[2], -1)
    w = torch.softmax(q @ k.transpose(-1, -2) / D**0.5, dim=-1)
    return w @ v
