import torch

_masks = {}


def _mask(sq, sk):
    if sk not in _masks:
        _masks[sk] = torch.ones(sq, sk, dtype=torch.bool).triu(sk - sq + 1)
    return _masks[sk]


def causal_attention(q, k, v):
    """按 key 的长度缓存 mask"""
    s = q @ k.transpose(-2, -1) * q.size(-1) ** -0.5
    s = s.masked_fill(_mask(q.size(-2), k.size(-2)), float("-inf"))
    return s.softmax(-1) @ v
