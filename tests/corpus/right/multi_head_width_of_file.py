import torch
from torch import nn
from torch.nn import functional as F

n_embd = 48
block_size = 256
dropout = 0.1


class Head(nn.Module):
    def __init__(self, head_size):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
        self.register_buffer("tril", torch.tril(torch.ones(block_size, block_size)))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        t = x.shape[1]
        k, q = self.key(x), self.query(x)
        affinities = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        affinities = affinities.masked_fill(self.tril[:t, :t] == 0, float("-inf"))
        return self.dropout(F.softmax(affinities, dim=-1)) @ self.value(x)


class MultiHeadAttention(nn.Module):
    def __init__(self, num_heads, head_size):
        super().__init__()
        self.heads = nn.ModuleList([Head(head_size) for _ in range(num_heads)])
        self.proj = nn.Linear(n_embd, n_embd)

    def forward(self, x):
        return self.proj(torch.cat([head(x) for head in self.heads], dim=-1))
