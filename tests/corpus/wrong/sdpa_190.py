import torch


def attention(q, k, v, padding_mask=None):
    """padding_mask (B, S): True = real token, self attention"""
    s = q @ k.mT * q.shape[-1] ** -0.5
    if padding_mask is not None:
        s = s.masked_fill(~padding_mask[:, None, :, None], -1e9)
    return s.softmax(-1) @ v
