import torch


def attention(q, k, v, window_size=(-1, -1)):
    """window_size: (left, right), keys seen before and after the own position; -1 is no limit."""
    n, m = q.shape[-2], k.shape[-2]
    left, right = window_size
    rel = torch.arange(m) - (torch.arange(n)[:, None] + m - n)
    keep = torch.ones(n, m, dtype=torch.bool)
    if left >= 0:
        keep &= rel >= -left
    if right >= 0:
        keep &= rel <= right
    s = (q @ k.mT * q.shape[-1] ** -0.5).masked_fill(~keep, -torch.inf)
    return s.softmax(-1) @ v
