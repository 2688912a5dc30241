import torch
from torch import nn


class SlidingWindowAttention(nn.Module):
    """forward(q, k, v) on (B, H, S, D)."""

    def __init__(self, window_size: int = 4):
        super().__init__()
        self.window_size = window_size

    def forward(self, q, k, v):
        n, m = q.size(2), k.size(2)
        bias = torch.zeros(n, m)
        idx = torch.arange(m) - (torch.arange(n)[:, None] + m - n)
        bias[idx > 0] = float("-inf")
        bias[idx <= -self.window_size] = float("-inf")
        return ((q @ k.transpose(-1, -2)) / q.size(-1) ** 0.5 + bias.to(q)).softmax(-1) @ v
