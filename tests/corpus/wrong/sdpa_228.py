import torch


def attention(q, k, v, mask=None):
    """mask: bool, True = may attend"""
    s = q @ k.mT / q.shape[-1]
    if mask is not None:
        s = s + mask
    return s.softmax(-1) @ v
