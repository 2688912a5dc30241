import math

import torch


def causal_attention(q, k, v, mask=None):
    """mask: (Sq, Sk) lower triangular, True = may attend."""
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.size(-1))
    weights = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)
    return weights @ v
