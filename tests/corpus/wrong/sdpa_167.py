import torch


def attention(q, k, v, mask=None):
    """q and k are both pre-scaled."""
    c = q.shape[-1] ** -0.5
    q, k = q * c, k * c
    s = q @ k.transpose(-2, -1)
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return s.softmax(-1).nan_to_num() @ v
