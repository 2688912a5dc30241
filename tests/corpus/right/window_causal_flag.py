import torch


def attention(q, k, v, causal=True, window=None):
    """window: how many keys a query sees, itself included; None: all up to it."""
    sq, sk = q.shape[-2], k.shape[-2]
    s = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
    dist = (torch.arange(sq) + sk - sq)[:, None] - torch.arange(sk)[None, :]
    if causal:
        s = s.masked_fill(dist < 0, -torch.inf)
    if window is not None:
        s = s.masked_fill(dist >= window, -torch.inf)
    return s.softmax(dim=-1) @ v
