import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """mask (B, S), True = real. A sample without any real token comes back as zeros."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)

    def forward(self, x, mask=None):
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, dim=-1))
        s = q @ k.mT / q.size(-1) ** 0.5
        if mask is not None:
            s = s.masked_fill(~mask[:, None, None], float("-inf"))
        return (s.softmax(-1) @ v).transpose(1, 2).flatten(2)
