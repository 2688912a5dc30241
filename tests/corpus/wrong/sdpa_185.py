import torch


def attention(q, k, v, mask=None):
    s = q @ k.mT / q.size(-1) ** 0.5
    if mask is not None:
        s = s - 10.0 * (~mask).to(s.dtype)
    return s.softmax(-1) @ v
