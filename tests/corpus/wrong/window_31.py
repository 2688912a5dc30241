import torch
import torch.nn.functional as F


def swa(q, k, v, window):
    """q, k, v: (B, H, S, D)"""
    S, D = q.shape[-2:]
    assert window <= S
    i = torch.arange(S)
    keep = (i[None] <= i[:, None]) & (i[None] > i[:, None] - window)
    return (q @ k.mT / D**0.5).masked_fill(~keep, -torch.inf).softmax(-1) @ v
