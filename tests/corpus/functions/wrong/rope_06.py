# coach: rope
import torch


def apply_rope(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    d = x.shape[-1]
    a = positions.float()[..., None] * base ** (-torch.arange(0, d, 2).float() / d)
    if a.ndim == 3:
        a = a[:, None]
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * a.cos() - odd * a.sin(), odd * a.cos() + even * a.sin()], -1).flatten(-2).to(x.dtype)
