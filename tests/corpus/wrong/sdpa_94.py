import torch


def attention(q, k, v):
    """q, k, v: (batch, seq, heads, dim). Returns the same layout."""
    q, k, v = q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)
    o = torch.softmax(q @ k.mT / q.size(-1) ** 0.5, -1) @ v
    b, h, s, d = o.shape
    return o.reshape(b, s, h, d)
