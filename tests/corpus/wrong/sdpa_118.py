import torch


def attention(q, k, v, mask=None):
    """True: keep"""
    B, H, S, D = q.shape
    p = (q @ k.mT / (H * D) ** 0.5).softmax(-1)
    if mask is not None:
        p = p.masked_fill(~mask, 0.0)
    return p @ v
