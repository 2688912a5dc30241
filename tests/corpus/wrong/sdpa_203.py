import torch


def attention(q, k, v, mask=None):
    """mask True = may attend. A row with nothing to attend to gives exactly 0."""
    s = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    return s.softmax(-1) @ v
