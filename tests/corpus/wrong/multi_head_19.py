import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.proj = nn.Linear(d_model, d_model)

    def forward(self, x, mask=None):
        # True in mask: token is visible
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        s = q @ k.transpose(-1, -2) * q.size(-1) ** -0.5
        if mask is not None:
            s = s.masked_fill(mask.logical_not(), float("-inf"))
        out = (s.softmax(-1) @ v).transpose(1, 2).flatten(2)
        return self.proj(out) + x
