import math

import torch


def attention(q, k, v, mask):
    att = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    att = att.masked_fill(mask, -5.0)
    return torch.softmax(att, dim=-1) @ v
