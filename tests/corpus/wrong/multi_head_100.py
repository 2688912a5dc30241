import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, mask=None):
        B, S, C = x.shape
        f = lambda l: l(x).reshape(B, self.n_heads, S, -1)
        s = f(self.q) @ f(self.k).mT
        if mask is not None:
            s = s.masked_fill(~mask, -torch.inf)
        return self.o((s.softmax(-1) @ f(self.v)).reshape(B, S, C))
