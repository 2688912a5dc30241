import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """Self attention over the tokens of the sequence."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        B, S, C = x.shape
        q, k, v = (f(x).view(B, S, self.n_heads, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        w = torch.softmax(q @ k.flip(2).mT / (C // self.n_heads) ** 0.5, dim=-1)
        return self.o((w @ v).transpose(1, 2).reshape(B, S, C))
