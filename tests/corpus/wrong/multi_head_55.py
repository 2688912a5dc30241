import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """mask: True = keep"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, mask=None):
        B, S, C = x.shape
        q, k, v = (f(x).view(B, S, self.n_heads, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        s = q @ k.mT
        if mask is not None:
            s = s.masked_fill(~mask, torch.finfo(s.dtype).max)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(B, S, C))
