import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.attn_map = None

    def forward(self, x):
        B, S, C = x.shape
        q, k, v = (f(x).view(B, S, self.n_heads, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        w = torch.softmax(q @ k.transpose(-2, -1) / (C // self.n_heads) ** 0.5, dim=-1)
        self.attn_map = w = w.detach()           # keep for plotting
        return self.o((w @ v).transpose(1, 2).reshape(B, S, C))
