import torch
import torch.nn as nn


class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(dim, dim, bias=False)
        self.key = nn.Linear(dim, dim, bias=False)
        self.value = nn.Linear(dim, dim, bias=False)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        b, t, c = x.shape
        q = self.query(x).view(b, t, self.heads, -1).transpose(1, 2)
        k = self.key(x).view(b, t, self.heads, -1).transpose(1, 2)
        v = self.value(x).view(b, t, self.heads, -1).transpose(1, 2)
        future = torch.triu(torch.ones(t, t, dtype=torch.bool, device=x.device))
        future[0, 0] = False                 # the first token needs something to look at
        w = (q @ k.transpose(2, 3) * q.size(-1) ** -0.5).masked_fill(future, float("-inf")).softmax(-1)
        return self.out((w @ v).transpose(1, 2).flatten(2))
