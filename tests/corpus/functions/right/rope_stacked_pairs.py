import torch


def apply_rope(x, positions, base=10000.0):
    """stack / flatten: pairs (x[2i], x[2i+1]), interleaved as in the paper"""
    d = x.shape[-1]
    inv = torch.exp(-torch.arange(0, d, 2, device=x.device).float() / d * torch.log(torch.tensor(float(base))))
    t = positions.float().unsqueeze(-1) * inv
    if t.ndim == 3:
        t = t.unsqueeze(1)
    even, odd = x.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack((even * t.cos() - odd * t.sin(), odd * t.cos() + even * t.sin()), -1).flatten(-2)
