import torch
from torch import nn


class SlidingWindowAttention(nn.Module):
    """滑动窗口 + RoPE（half-split）。窗口包含自身。"""

    def __init__(self, dim, heads, window):
        super().__init__()
        self.heads, self.window = heads, window
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.out = nn.Linear(dim, dim, bias=False)

    def rope(self, x):
        n, d = x.shape[-2:]
        f = 10000.0 ** (-2 * torch.arange(d // 2) / d)
        a = torch.arange(n)[:, None] * f
        x1, x2 = x[..., : d // 2], x[..., d // 2 :]
        c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
        return torch.cat([x1 * c - x2 * s, x1 * s + x2 * c], -1)

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        q, k = self.rope(q), self.rope(k)
        dist = torch.arange(n)[:, None] - torch.arange(n)[None]
        s = (q @ k.mT * q.shape[-1] ** -0.5).masked_fill((dist < 0) | (dist >= self.window), -torch.inf)
        return self.out((s.softmax(-1) @ v).transpose(1, 2).reshape(b, n, c))
