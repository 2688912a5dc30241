import torch
def rope(x, positions, base=10000.0):
    """x (B, H, S, D); position of each token"""
    B, H, S, D = x.shape
    f = base ** (-torch.arange(0, D, 2).float() / D)
    a = torch.arange(H).float()[:, None, None] * f
    c, s = a.cos(), a.sin()
    x1, x2 = x.chunk(2, -1)
    return torch.cat([x1 * c - x2 * s, x2 * c + x1 * s], -1)
