import torch
from torch import nn


class MultiHeadCrossAttention(nn.Module):
    """x holds the encoder's tokens (keys and values), y the decoder's (queries)."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.kv_layer = nn.Linear(d_model, 2 * d_model)
        self.q_layer = nn.Linear(d_model, d_model)
        self.linear_layer = nn.Linear(d_model, d_model)

    def forward(self, x, y):
        k, v = self.kv_layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2).chunk(2, dim=-1)
        q = self.q_layer(y).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        weights = torch.softmax(q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5, dim=-1)
        return self.linear_layer((weights @ v).transpose(1, 2).flatten(2))
