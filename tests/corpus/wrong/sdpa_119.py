import torch


def attend(query, key, value, mask=None):
    """mask (B, T, S), True 表示可以看"""
    d = query.shape[-1]
    score = query @ key.transpose(-1, -2) * d ** 0.5
    if mask is not None:
        assert mask.dtype == torch.bool
        torch.where(mask, score, float("-inf"))
    return torch.softmax(score, dim=-1) @ value
