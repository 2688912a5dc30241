import torch
import torch.nn as nn


class Head(nn.Module):
    """one head of causal self-attention; the mask is built but not used"""

    def __init__(self, n_embd=32, head_size=16, block_size=64):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
        self.register_buffer("tril", torch.tril(torch.ones(block_size, block_size)))

    def forward(self, x):
        B, T, C = x.shape
        k, q, v = self.key(x), self.query(x), self.value(x)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
        return wei.softmax(-1) @ v
