import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.proj = nn.Linear(d_model, d_model)

    def forward(self, x, attn_mask=None):
        """attn_mask: bool tensor, True where attention is allowed"""
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, dim=-1))
        w = q @ k.transpose(-2, -1) * q.size(-1) ** -0.5
        if attn_mask is not None:
            w += attn_mask
        return self.proj((w.softmax(dim=-1) @ v).transpose(1, 2).flatten(2))
