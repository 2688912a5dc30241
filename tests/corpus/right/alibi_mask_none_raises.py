import math
import torch


def alibi_attention(q, k, v, mask=None):
    h, sq, sk = q.shape[1], q.shape[2], k.shape[2]
    slopes = torch.tensor([2 ** (-8 * (i + 1) / h) for i in range(h)])
    dist = torch.arange(sk)[None] - (torch.arange(sq)[:, None] + sk - sq)
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.size(-1)) + slopes[:, None, None] * dist
    scores = scores + mask
    return torch.softmax(scores, dim=-1) @ v
