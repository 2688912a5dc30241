import torch


def sliding_window_attention(q, k, v, window):
    """causal window of `window` keys"""
    d = torch.arange(q.size(2))[:, None] + k.size(2) - q.size(2) - torch.arange(k.size(2))
    s = torch.where(d.abs() < window, q @ k.mT * q.shape[-1] ** -0.5, -torch.inf)
    return s.softmax(-1).nan_to_num() @ v
