import math
import torch


def attention(q, k, v, mask=None):
    """若是 T5，则没有缩放；本实现是标准的。mask True 为可见。"""
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float('-inf'))
    w = torch.softmax(scores, dim=-1)
    return torch.nan_to_num(w) @ v
