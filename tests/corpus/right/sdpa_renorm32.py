import torch
def attention(q, k, v, mask=None):
    """mask: True = keep"""
    w = (q @ k.mT / q.size(-1) ** 0.5).softmax(dim=-1)
    if mask is not None:
        w = w * mask
        w = w / w.sum(dim=-1, keepdim=True).clamp_min(1e-9)
    return w @ v
