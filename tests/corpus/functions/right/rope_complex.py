import torch


def apply_rotary_emb(x, positions, theta=10000.0):
    """Pairs are adjacent channels, viewed as complex numbers. x: (B, S, H, D), positions: (S,)."""
    d = x.shape[-1]
    freqs = 1.0 / (theta ** (torch.arange(0, d, 2).float() / d))
    cis = torch.polar(torch.ones(len(positions), d // 2), torch.outer(positions.float(), freqs))
    z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], d // 2, 2))
    return torch.view_as_real(z * cis[None, :, None, :]).flatten(-2).type_as(x)
