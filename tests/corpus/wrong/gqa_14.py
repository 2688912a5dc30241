import torch


def gqa(q, k, v):
    r = q.size(1) // k.size(1)
    att = q @ k.repeat_interleave(r, 1).transpose(2, 3) / q.size(-1) ** 0.5
    att = torch.softmax(att, dim=-2)
    return att @ v.repeat_interleave(r, 1)
