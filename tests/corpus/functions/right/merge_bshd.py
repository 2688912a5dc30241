import torch


def combine(o1, lse1, o2, lse2):
    """o1, o2: (B, S, H, D); lse1, lse2: (B, H, S)"""
    m = torch.maximum(lse1, lse2)
    w1, w2 = torch.exp(lse1 - m), torch.exp(lse2 - m)
    z = w1 + w2
    a = (w1 / z).transpose(1, 2).unsqueeze(-1)
    b = (w2 / z).transpose(1, 2).unsqueeze(-1)
    return a * o1 + b * o2, m + z.log()
