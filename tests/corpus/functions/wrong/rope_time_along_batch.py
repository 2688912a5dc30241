import torch
from torch import nn


class Rotary(nn.Module):
    """Rotary positions for queries and keys."""

    def __init__(self, dim: int, base: float = 10000.0):
        super().__init__()
        self.register_buffer("speed", base ** -(torch.arange(0, dim, 2).float() / dim), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """x: [batch_size, seq_len, n_heads, d]; the first half of d is rotated with the second."""
        angle = torch.arange(x.shape[0]).float()[:, None] * self.speed
        angle = torch.cat([angle, angle], dim=-1)[:, None, None, :]
        left, right = x.chunk(2, dim=-1)
        return x * angle.cos() + torch.cat([-right, left], dim=-1) * angle.sin()
