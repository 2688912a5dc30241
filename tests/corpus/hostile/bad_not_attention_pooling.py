import torch


def masked_mean_pool(hidden, attention_mask, eps=1e-9):
    m = attention_mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * m).sum(1) / m.sum(1).clamp(min=eps)
