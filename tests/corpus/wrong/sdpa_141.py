import torch


def attention(q, k, v, bias=None):
    """bias: float mask to be ADDED to the scores, 0 where visible, -inf where hidden"""
    s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if bias is not None:
        s = s - bias
    return torch.softmax(s, dim=-1) @ v
