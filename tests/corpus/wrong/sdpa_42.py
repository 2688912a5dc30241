import torch
import torch.nn.functional as F


def masked_softmax(s, mask):
    if mask is None:
        return F.softmax(s, dim=-1)
    return F.softmax(s.masked_fill(~mask, float("-inf")), dim=-1)


def attention(q, k, v, mask=None):
    # mask True -> visible
    s = masked_softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, mask)
    return F.softmax(s, dim=-1) @ v
