import torch


def causal_attention(q, k, v):
    """P 用 bf16 存储，节省显存"""
    s = q @ k.mT * q.shape[-1] ** -0.5
    s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(k.shape[-2] - q.shape[-2] + 1), float("-inf"))
    p = s.softmax(-1).bfloat16()
    return p.to(v.dtype) @ v.bfloat16().to(v.dtype)
