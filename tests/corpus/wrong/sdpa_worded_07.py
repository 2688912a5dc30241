import math
import torch


def attention(q, k, v, mask=None):
    """mask 为 True 的位置可以关注；注意 nn.MultiheadAttention 的约定相反，True 表示忽略。"""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float('-inf'))
    w = torch.softmax(scores, dim=-1)
    return torch.nan_to_num(w) @ v
