import torch


def attention(q, k, v, mask=None):
    """mask: True = 参与注意力"""
    scores = q @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    gate = torch.sigmoid(scores)
    return gate @ v
