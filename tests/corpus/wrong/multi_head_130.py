import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        B, S, C = x.shape
        q, k, v = (w(x).view(B, S, self.n_heads, C // self.n_heads) for w in (self.q, self.k, self.v))
        p = torch.softmax(q @ k.mT / (C // self.n_heads) ** 0.5, -1)
        return self.o((p @ v).reshape(B, S, C))
