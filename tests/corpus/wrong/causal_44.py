import torch
from torch import nn
from torch.nn import functional as F

n_embd = 48
block_size = 256


class Head(nn.Module):
    """One causal head of several."""

    def __init__(self, head_size):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
        self.register_buffer("tril", torch.tril(torch.ones(block_size, block_size)))

    def forward(self, x):
        _, t, c = x.shape
        scores = self.query(x) @ self.key(x).transpose(-2, -1) * c**-0.5
        scores = scores.masked_fill(self.tril[:t, :t] == 0, float("-inf"))
        return F.softmax(scores, dim=-1) @ self.value(x)
