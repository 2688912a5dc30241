import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = [nn.Linear(dim, dim) for _ in range(4)]

    def forward(self, x):
        B, S, C = x.shape
        split = lambda t: t.view(B, S, self.heads, -1).transpose(1, 2)
        q, k, v = split(self.query(x)), split(self.key(x)), split(self.value(x))
        a = torch.softmax(q @ k.mT / (C // self.heads) ** 0.5, dim=-1)
        a = a.mean(dim=1, keepdim=True)          # one map for all heads
        return self.out((a @ v).transpose(1, 2).flatten(2))
