import torch


def build_cache(seq_len, head_dim, base=10000.0):
    speeds = base ** (-torch.arange(0, head_dim, 2).float() / head_dim)
    angles = torch.arange(seq_len).float()[:, None] * speeds
    return angles.repeat_interleave(2, -1).cos(), angles.repeat_interleave(2, -1).sin()


def rotate_half(x):
    left, right = x.chunk(2, -1)
    return torch.cat((-right, left), -1)


def apply_rotary_pos_emb(q, k, cos, sin):
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin
