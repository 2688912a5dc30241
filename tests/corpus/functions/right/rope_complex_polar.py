import torch


def apply_rope(x, positions, base=10000.0):
    """Complex numbers, half-split pairs."""
    D = x.shape[-1]
    f = torch.pow(torch.tensor(base), -torch.arange(0, D, 2, device=x.device).float() / D)
    ang = positions[..., None].float() * f
    if ang.dim() == 3:
        ang = ang[:, None]
    rot = torch.polar(torch.ones_like(ang), ang)
    z = torch.complex(x[..., : D // 2].float(), x[..., D // 2:].float()) * rot
    return torch.cat([z.real, z.imag], -1).to(x.dtype)
