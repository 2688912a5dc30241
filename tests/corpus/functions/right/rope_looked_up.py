import torch


def half_turned(x):
    left, right = x.chunk(2, -1)
    return torch.cat((-right, left), -1)


def apply_rotary_pos_emb(q, k, cos, sin, position_ids):
    """cos and sin hold a row a position; each token takes its own."""
    cos, sin = cos[position_ids], sin[position_ids]
    return q * cos + half_turned(q) * sin, k * cos + half_turned(k) * sin
