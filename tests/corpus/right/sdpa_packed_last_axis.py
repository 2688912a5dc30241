import torch


def attention(qkv, n_heads, mask=None):
    b, s, c3 = qkv.shape
    q, k, v = qkv.view(b, s, 3, n_heads, -1).permute(2, 0, 3, 1, 4)
    scores = q @ k.transpose(-1, -2) * q.size(-1) ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(b, s, -1)
