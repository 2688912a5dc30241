import math

import torch
from torch import nn


class QKVAttention(nn.Module):
    """Attention on a packed tensor (N, 3 * H * C, T); returns (N, H * C, T)."""

    def __init__(self, n_heads):
        super().__init__()
        self.n_heads = n_heads

    def forward(self, qkv):
        n, width, length = qkv.shape
        ch = width // (3 * self.n_heads)
        q, k, v = qkv.chunk(3, dim=1)
        scale = 1 / math.sqrt(ch)
        weight = torch.einsum(
            "bct,bcs->bts",
            (q * scale).view(n * self.n_heads, ch, length),
            (k * scale).view(n * self.n_heads, ch, length),
        )
        weight = torch.softmax(weight, dim=-1)
        a = torch.einsum("bts,bcs->bct", weight, v.reshape(n * self.n_heads, ch, length))
        return a.reshape(n, -1, length)
