"""Attention as in a CUDA course: baddbmm with alpha."""
import torch


def attend(query, key, value):
    """query (B, H, T, D), key (B, H, S, D), value (B, H, S, E)."""
    b, h, t, d = query.shape
    s = key.shape[-2]
    q3 = query.reshape(b * h, t, d)
    k3 = key.reshape(b * h, s, d)
    v3 = value.reshape(b * h, s, value.shape[-1])
    zero = q3.new_zeros(b * h, t, s)
    sc = torch.baddbmm(zero, q3, k3.transpose(1, 2), beta=0.0, alpha=d ** -0.5)
    sc.sub_(sc.max(2, keepdim=True).values).exp_()
    sc.div_(sc.sum(2, keepdim=True))
    return torch.bmm(sc, v3).unflatten(0, (b, h))
