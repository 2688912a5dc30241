"""Attention of a vision transformer whose block leaves the normalisation to the attention itself."""

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim, heads=8, dropout=0.0):
        super().__init__()
        self.heads = heads
        self.scale = (dim // heads) ** -0.5
        self.pre_norm = nn.LayerNorm(dim)
        self.to_qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.to_out = nn.Sequential(nn.Linear(dim, dim), nn.Dropout(dropout))

    def forward(self, tokens):
        tokens = self.pre_norm(tokens)
        q, k, v = (t.unflatten(-1, (self.heads, -1)).movedim(2, 1) for t in self.to_qkv(tokens).chunk(3, dim=-1))
        weights = (q @ k.mT * self.scale).softmax(dim=-1)
        return self.to_out((weights @ v).movedim(1, 2).flatten(2))
