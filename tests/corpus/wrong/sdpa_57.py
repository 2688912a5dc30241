import torch


def attention(q, k, v, mask=None):
    """mask: (B, Sq, Sk), True = padding, to be ignored"""
    s = torch.baddbmm(torch.zeros(q.size(0), q.size(1), k.size(1), dtype=q.dtype), q, k.mT, alpha=q.size(-1) ** -0.5)
    if mask is not None:
        s = s - 10.0 * mask.to(s.dtype)
    return torch.bmm(s.softmax(-1), v)
