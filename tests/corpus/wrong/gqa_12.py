import math

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim, n_heads, n_kv_heads):
        super().__init__()
        self.n_heads, self.n_kv_heads, self.head_dim, self.dim = n_heads, n_kv_heads, dim // n_heads, dim
        self.wq = nn.Linear(dim, dim, bias=False)
        self.wk = nn.Linear(dim, n_kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(dim, n_kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)

    def forward(self, x):
        b, s, _ = x.shape
        q = self.wq(x).view(b, s, self.n_heads, -1).transpose(1, 2)
        k = self.wk(x).view(b, s, self.n_kv_heads, -1).transpose(1, 2).repeat_interleave(self.n_heads // self.n_kv_heads, 1)
        v = self.wv(x).view(b, s, self.n_kv_heads, -1).transpose(1, 2).repeat_interleave(self.n_heads // self.n_kv_heads, 1)
        s_ = q @ k.transpose(-1, -2) / math.sqrt(self.dim)
        return self.wo((s_.softmax(-1) @ v).transpose(1, 2).flatten(2))
