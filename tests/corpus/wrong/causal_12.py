import torch
import torch.nn as nn
from dataclasses import dataclass


@dataclass
class Config:
    n_embd: int = 32
    head_size: int = 8
    block_size: int = 16


class Head(nn.Module):
    """one head of causal self attention"""

    def __init__(self, config):
        super().__init__()
        self.q = nn.Linear(config.n_embd, config.head_size, bias=False)
        self.k = nn.Linear(config.n_embd, config.head_size, bias=False)
        self.v = nn.Linear(config.n_embd, config.head_size, bias=False)
        self.register_buffer("tril", torch.tril(torch.ones(config.block_size, config.block_size)))

    def forward(self, x):
        B, T, C = x.shape
        wei = self.q(x) @ self.k(x).transpose(-2, -1) * self.k.out_features ** -0.5
        wei = torch.softmax(wei, dim=-1)
        wei = wei * self.tril[:T, :T]
        return wei @ self.v(x)
