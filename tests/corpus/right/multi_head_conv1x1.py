import torch
from torch import nn


class ConvProjectedAttention(nn.Module):
    """Kernel-one convolutions as projections; tokens stay (B, S, C) outside."""

    def __init__(self, channels, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.query_conv = nn.Conv1d(channels, channels, kernel_size=1)
        self.key_conv = nn.Conv1d(channels, channels, kernel_size=1)
        self.value_conv = nn.Conv1d(channels, channels, kernel_size=1)
        self.out_conv = nn.Conv1d(channels, channels, kernel_size=1)

    def forward(self, x):
        b, n, c = x.shape
        t = x.transpose(1, 2)  # (B, C, S)
        q, k, v = (f(t).view(b, self.num_heads, -1, n) for f in (self.query_conv, self.key_conv, self.value_conv))
        w = torch.softmax(torch.einsum("bhdi,bhdj->bhij", q, k) / q.shape[2] ** 0.5, dim=-1)
        o = torch.einsum("bhij,bhdj->bhdi", w, v).reshape(b, c, n)
        return self.out_conv(o).transpose(1, 2)
