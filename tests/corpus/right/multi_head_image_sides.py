"""Attention of a pyramid: keys and values may come from a smaller image, whose sides the caller tells."""

from torch import nn


class ReducedAttention(nn.Module):
    def __init__(self, dim, num_heads=8, qkv_bias=False, reduction=1):
        super().__init__()
        self.num_heads, self.reduction = num_heads, reduction
        self.q = nn.Linear(dim, dim, bias=qkv_bias)
        self.kv = nn.Linear(dim, 2 * dim, bias=qkv_bias)
        self.proj = nn.Linear(dim, dim)
        if reduction > 1:
            self.reduce = nn.Conv2d(dim, dim, reduction, stride=reduction)

    def forward(self, x, H, W):
        b, n, c = x.shape
        source = x
        if self.reduction > 1:
            source = self.reduce(x.mT.reshape(b, c, H, W)).flatten(2).mT
        q = self.q(x).reshape(b, n, self.num_heads, -1).transpose(1, 2)
        k, v = self.kv(source).reshape(b, -1, 2, self.num_heads, c // self.num_heads).permute(2, 0, 3, 1, 4)
        weights = (q @ k.mT * q.shape[-1] ** -0.5).softmax(dim=-1)
        return self.proj((weights @ v).transpose(1, 2).reshape(b, n, c))
