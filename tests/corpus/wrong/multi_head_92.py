import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.q = nn.Linear(d_model, d_head)
        self.k = nn.Linear(d_model, d_head)
        self.v = nn.Linear(d_model, d_head)

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.heads = nn.ModuleList([Head(d_model, d_model // n_heads)] * n_heads)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x):
        return self.out(torch.cat([h(x) for h in self.heads], -1))
