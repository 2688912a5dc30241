import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.proj = nn.Linear(d_model, d_model)

    def forward(self, x, mask=None):
        B, S, C = x.shape
        q, k, v = self.qkv(x).view(B, S, 3, self.n_heads, C // self.n_heads).permute(2, 0, 3, 1, 4)
        s = q @ k.mT / (C // self.n_heads) ** 0.5
        if mask is not None:
            s = s.masked_fill(~mask, -torch.inf)
        return x + self.proj((s.softmax(-1) @ v).transpose(1, 2).reshape(B, S, C))
