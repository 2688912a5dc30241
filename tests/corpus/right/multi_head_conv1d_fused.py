import torch
from torch import nn


class SelfAttention(nn.Module):
    """nn.Conv1d projections on (B, C, L)."""

    def __init__(self, channels, num_heads):
        super().__init__()
        self.h = num_heads
        self.to_qkv = nn.Conv1d(channels, 3 * channels, 1, bias=False)
        self.proj_out = nn.Conv1d(channels, channels, 1)

    def forward(self, x):
        b, c, n = x.shape
        q, k, v = self.to_qkv(x).view(b, 3, self.h, c // self.h, n).unbind(1)
        s = torch.einsum("bhdi,bhdj->bhij", q, k) * (c // self.h) ** -0.5
        o = torch.einsum("bhij,bhdj->bhdi", s.softmax(-1), v)
        return self.proj_out(o.reshape(b, c, n))
