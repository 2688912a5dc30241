"""Self-attention with a switch for the causal mask, and a configuration in parts."""

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n_heads = config.encoder["num_heads"]
        self.in_proj = nn.Linear(config.hidden_size, 3 * config.hidden_size)
        self.out_proj = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, x, causal_mask=False):
        q, k, v = (t.unflatten(2, (self.n_heads, -1)).transpose(1, 2) for t in self.in_proj(x).chunk(3, dim=-1))
        scores = q @ k.mT
        if causal_mask:
            scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
        weights = torch.softmax(scores / q.shape[-1] ** 0.5, dim=-1)
        return self.out_proj((weights @ v).transpose(1, 2).flatten(2))
