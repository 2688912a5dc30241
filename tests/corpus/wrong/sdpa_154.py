import torch
def attention(q, k, v, mask=None):
    """mask True = attend"""
    s = q @ k.mT
    if mask is not None:
        s = s.masked_fill(mask, -1e30)
    return s.softmax(-1) @ v
