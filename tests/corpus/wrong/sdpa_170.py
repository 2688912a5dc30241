import math
import torch


def attention(q, k, v, mask=None):
    w = q @ k.transpose(-1, -2)
    if mask is not None:
        w = w.masked_fill(mask == 0, -1e30)
    w = torch.softmax(w, -1) / math.sqrt(q.size(-1))
    return w @ v
