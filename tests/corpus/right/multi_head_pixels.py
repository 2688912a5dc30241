import torch
from torch import nn


class PixelAttention(nn.Module):
    """Every pixel of a feature map attends to every other: (N, C, H, W) in and out."""

    def __init__(self, channels, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.qkv = nn.Conv2d(channels, 3 * channels, kernel_size=1)
        self.proj = nn.Conv2d(channels, channels, kernel_size=1)

    def forward(self, x):
        n, c, height, width = x.shape
        q, k, v = self.qkv(x).reshape(n, 3, self.num_heads, c // self.num_heads, height * width).unbind(1)
        scores = torch.einsum("nhdi,nhdj->nhij", q, k) * (c // self.num_heads) ** -0.5
        out = torch.einsum("nhij,nhdj->nhdi", scores.softmax(-1), v)
        return self.proj(out.reshape(n, c, height, width))
