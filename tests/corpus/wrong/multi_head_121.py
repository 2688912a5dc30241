"""The first sublayer of an encoder: attention, the input added to it, then a normalisation."""

import torch
from torch import nn


class AttentionSublayer(nn.Module):
    def __init__(self, num_heads, hidden, dropout=0.1):
        super().__init__()
        self.num_heads = num_heads
        self.queries = nn.Linear(hidden, hidden)
        self.keys = nn.Linear(hidden, hidden)
        self.values = nn.Linear(hidden, hidden)
        self.output = nn.Linear(hidden, hidden)
        self.drop = nn.Dropout(dropout)
        self.norm = nn.LayerNorm(hidden, eps=1e-6)

    def split(self, x):
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, query, key, value, mask=None):
        q, k, v = self.split(self.queries(query)), self.split(self.keys(key)), self.split(self.values(value))
        scores = q @ k.mT
        if mask is not None:
            scores = scores.masked_fill(mask[:, None] == 0, float("-inf"))
        weights = self.drop(torch.softmax(scores, dim=-1))
        attended = (weights @ v).transpose(1, 2).flatten(2)
        return self.norm(query + self.drop(self.output(attended))), weights
