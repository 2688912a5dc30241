import torch


def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    a = positions.float()[:, None] * base ** (-torch.arange(0, d, 2).float() / d)
    a = a.repeat_interleave(2, dim=-1)
    half = torch.cat([-x[..., d // 2 :], x[..., : d // 2]], -1)
    return x * a.cos() + half * a.sin()
