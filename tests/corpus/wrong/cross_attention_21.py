import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    """x: (B, Sq, C), context: (B, Sk, C)"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, context):
        B, S, C = x.shape
        q = self.q(x).view(B, S, self.n_heads, C // self.n_heads).transpose(1, 2)
        k = self.k(context).view(B, S, self.n_heads, C // self.n_heads).transpose(1, 2)
        v = self.v(context).view(B, S, self.n_heads, C // self.n_heads).transpose(1, 2)
        w = torch.softmax(q @ k.mT / (C // self.n_heads) ** 0.5, -1)
        return self.o((w @ v).transpose(1, 2).reshape(B, S, C))
