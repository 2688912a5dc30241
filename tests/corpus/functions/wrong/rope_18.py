import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    inv = base ** (-2 * torch.arange(D // 2).float() / D)
    a = positions[..., None].float() * inv
    a = a[:, None] if a.dim() == 3 else a
    z = torch.complex(x[..., :D // 2].float(), x[..., D // 2:].float()) * torch.exp(-1j * a)
    return torch.cat([z.real, z.imag], -1).to(x.dtype)
