import math
import torch


# TODO: compare with T5 later
def attention(q, k, v, mask=None):
    """Attention without the usual fuss. mask: True means attend."""
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float('-inf'))
    w = torch.softmax(scores, dim=-1)
    return torch.nan_to_num(w) @ v
