import torch


def attention(q, k, v, attn_mask=None):
    s = q @ k.mT * q.shape[-1] ** -0.5
    if attn_mask is not None:
        s = s + attn_mask.to(s.dtype)      # bool: True = may attend
    return s.softmax(-1) @ v
