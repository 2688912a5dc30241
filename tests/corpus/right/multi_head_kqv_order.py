import torch
from torch import nn


class SelfAttention(nn.Module):
    """融合投影，顺序是 k、q、v"""

    def __init__(self, emb_dim: int, num_heads: int, bias: bool = True):
        super().__init__()
        self.num_heads = num_heads
        self.to_kqv = nn.Linear(emb_dim, emb_dim * 3, bias=bias)
        self.out = nn.Linear(emb_dim, emb_dim, bias=bias)

    def forward(self, x):
        b, n, c = x.shape
        k, q, v = self.to_kqv(x).chunk(3, dim=-1)
        k, q, v = (t.reshape(b, n, self.num_heads, -1).permute(0, 2, 1, 3) for t in (k, q, v))
        attn = torch.softmax((q @ k.transpose(-1, -2)) / (c // self.num_heads) ** 0.5, dim=-1)
        return self.out((attn @ v).permute(0, 2, 1, 3).reshape(b, n, c))
