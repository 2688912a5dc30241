import torch
from torch import nn


class AlibiAttention(nn.Module):
    """ALiBi 因果自注意力"""

    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.to_qkv = nn.Linear(dim, dim * 3, bias=False)
        self.to_out = nn.Linear(dim, dim)

    def bias(self, n):
        slopes = 2 ** (-8 * torch.arange(1, self.heads + 1) / self.heads)
        return slopes[:, None, None] * torch.arange(n)[None, :, None]      # 随 query 位置变化

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = (t.view(b, n, self.heads, -1).transpose(1, 2) for t in self.to_qkv(x).chunk(3, -1))
        dots = q @ k.mT * (c // self.heads) ** -0.5 + self.bias(n)
        dots = dots.masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -torch.inf)
        return self.to_out((dots.softmax(-1) @ v).transpose(1, 2).reshape(b, n, c))
