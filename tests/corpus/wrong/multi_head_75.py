import torch
from torch import nn
class Attention(nn.Module):
    def __init__(self, dim, heads=8):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, dim * 3, bias=False)
        self.out = nn.Linear(dim, dim)
        self.scale = 64 ** -0.5
    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        a = (q @ k.mT * self.scale).softmax(-1)
        return self.out((a @ v).transpose(1, 2).reshape(b, n, c))
