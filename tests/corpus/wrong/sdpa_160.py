import torch
def attention(q, k, v, mask=None):
    """mask: 1 = keep"""
    s = q @ k.mT / q.size(-1) ** 0.5
    if mask is not None:
        s = s + (1 - mask.float()) * -500
    return s.softmax(-1) @ v
