import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, p=0.1):
        super().__init__()
        self.n_heads, self.p = n_heads, p
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        B, S, C = x.shape
        q, k, v = (f(x).view(B, S, self.n_heads, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        a = F.softmax(q @ k.mT / (C // self.n_heads) ** 0.5, dim=-1)
        y = (a @ v).transpose(1, 2).reshape(B, S, C)
        return F.dropout(self.o(y), self.p)
