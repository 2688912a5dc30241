import torch


def attention(q, k, v, block=3):
    s_all = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
    num, den = 0.0, 0.0
    for s, vb in zip(s_all.split(block, dim=-1), v.split(block, dim=-2)):
        top = s.amax(dim=-1, keepdim=True)
        e = torch.exp(s - top)
        num = num + e @ vb
        den = den + e.sum(dim=-1, keepdim=True)
    return num / den
