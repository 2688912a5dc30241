import torch
from torch import nn


class GQA(nn.Module):
    def __init__(self, dim, heads, kv_heads):
        super().__init__()
        self.heads, self.kv_heads, self.dh = heads, kv_heads, dim // heads
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, 2 * kv_heads * self.dh, bias=False)
        self.to_out = nn.Linear(dim, dim)

    def forward(self, x, mask=None):
        b, n, _ = x.shape
        q = self.to_q(x).view(b, n, self.heads, self.dh).transpose(1, 2)
        k, v = self.to_kv(x).view(b, n, 2, self.kv_heads, self.dh).permute(2, 0, 3, 1, 4)
        g = self.heads // self.kv_heads
        k = k.repeat_interleave(g, dim=1)
        v = k
        a = (q @ k.mT * self.dh**-0.5).softmax(-1)
        return self.to_out((a @ v).transpose(1, 2).reshape(b, n, -1))
