import torch
import torch.nn.functional as F


def attn(q, k, v, mask=None):
    s = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        s = s.masked_fill(mask, float("-inf"))
    return torch.matmul(F.softmax(s, dim=-1), v)
