import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """mask (B, S): True = real token; padded keys get no attention."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q = nn.Linear(d_model, d_model)
        self.k = nn.Linear(d_model, d_model)
        self.v = nn.Linear(d_model, d_model)
        self.o = nn.Linear(d_model, d_model)

    def forward(self, x, mask=None):
        B, S, C = x.shape
        q, k, v = (f(x).view(B, S, self.n_heads, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        att = q @ k.transpose(-1, -2) / (C // self.n_heads) ** 0.5
        if mask is not None:
            att = att.masked_fill(~mask.unsqueeze(1).unsqueeze(-1), -6e4)
        return self.o((att.softmax(-1) @ v).transpose(1, 2).reshape(B, S, C))
