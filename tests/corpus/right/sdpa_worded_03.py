import math
import torch


def attention(q, k, v, mask=None):
    """T5: the scale 1/sqrt(d) is folded into the initialisation. mask True = attend."""
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float('-inf'))
    w = torch.softmax(scores, dim=-1)
    return torch.nan_to_num(w) @ v
