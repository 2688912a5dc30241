import torch


@torch.no_grad()
def attention(q, k, v, mask=None):
    """True in mask = attend"""
    q *= q.shape[-1] ** -0.5
    s = q @ k.transpose(-2, -1)
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return torch.softmax(s, dim=-1) @ v
