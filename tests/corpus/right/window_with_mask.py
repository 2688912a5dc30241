import torch


def sliding_window_attention(q, k, v, window, mask=None):
    """mask (B, 1, Sq, Sk), True = may attend; combined with the causal window."""
    sq, sk = q.shape[-2:][0], k.shape[-2]
    d = torch.arange(sk).sub((torch.arange(sq) + sk - sq).unsqueeze(-1))
    keep = torch.logical_and(d <= 0, d > -window)
    if mask is not None:
        keep = keep & mask
    s = torch.matmul(q, k.transpose(-1, -2)) / (q.shape[-1] ** 0.5)
    s = torch.where(keep, s, torch.tensor(float("-inf")).to(s))
    p = torch.exp(s - s.amax(-1, keepdim=True).clamp(min=torch.finfo(s.dtype).min))
    return (p / p.sum(-1, keepdim=True).clamp(min=torch.finfo(s.dtype).tiny)) @ v
