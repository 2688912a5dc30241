import torch


def attention(q, k, v, mask=None):
    s = q @ k.mT / q.size(-1) ** 0.5
    if mask is not None:
        s = s.masked_fill(mask == 0, 1e9)
    return s.softmax(-1) @ v
