import torch
from torch import nn
class Attention(nn.Module):
    """Grouped-query attention: key/value head h serves query heads h*g .. h*g+g-1."""
    def __init__(self, dim, n_heads, n_kv_heads):
        super().__init__()
        self.h, self.g, self.d = n_heads, n_kv_heads, dim // n_heads
        self.wq = nn.Linear(dim, n_heads * self.d, bias=False)
        self.wk = nn.Linear(dim, n_kv_heads * self.d, bias=False)
        self.wv = nn.Linear(dim, n_kv_heads * self.d, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)
    def forward(self, x):
        B, S, _ = x.shape
        q = self.wq(x).view(B, S, self.h, self.d).transpose(1, 2)
        k = self.wk(x).view(B, S, self.g, self.d).transpose(1, 2).repeat(1, self.h // self.g, 1, 1)
        v = self.wv(x).view(B, S, self.g, self.d).transpose(1, 2).repeat_interleave(self.h // self.g, 1)
        w = torch.softmax(q @ k.mT / self.d ** .5, -1)
        return self.wo((w @ v).transpose(1, 2).reshape(B, S, -1))
