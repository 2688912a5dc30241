import math
import torch


def sliding_window_attention(q, k, v, window):
    """Not two-sided like Longformer, not inclusive of i - window: keys i-window+1 .. i."""
    n, m = q.shape[2], k.shape[2]
    d = (torch.arange(n)[:, None] + m - n) - torch.arange(m)
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.nan_to_num(s.masked_fill((d < 0) | (d >= window), float('-inf')).softmax(-1)) @ v
