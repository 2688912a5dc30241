import torch
from torch import nn


class RoPE(nn.Module):
    def __init__(self, theta, d_k, max_seq_len):
        super().__init__()
        angles = torch.outer(torch.arange(max_seq_len).float(), theta ** (-torch.arange(0, d_k, 2).float() / d_k))
        self.register_buffer("angles", angles)

    def forward(self, x, token_positions):
        angles = self.angles[: x.shape[-2]][token_positions]
        cos, sin = angles.cos(), angles.sin()
        a, b = x[..., ::2], x[..., 1::2]
        return torch.stack([a * cos - b * sin, b * cos + a * sin], -1).flatten(-2)
