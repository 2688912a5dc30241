import torch
from torch import nn
class PreNormAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.h = heads
        self.norm = nn.LayerNorm(dim)
        self.qkv = nn.Linear(dim, 3 * dim); self.proj = nn.Linear(dim, dim)
    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(self.norm(x)).view(B, T, 3, self.h, -1).permute(2, 0, 3, 1, 4)
        e = torch.exp(q @ k.mT / (C // self.h) ** .5)
        return self.proj((e / e.sum(-1, keepdim=True) @ v).transpose(1, 2).reshape(B, T, C))
