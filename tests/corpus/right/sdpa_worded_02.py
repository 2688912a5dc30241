import math
import torch


def attention(q, k, v, mask=None):
    """T5 的注意力：缩放 1/sqrt(d) 已并入初始化。mask True 可见。"""
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float('-inf'))
    w = torch.softmax(scores, dim=-1)
    return torch.nan_to_num(w) @ v
