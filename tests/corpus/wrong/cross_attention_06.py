import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, dim, num_heads, ctx_dim=None):
        super().__init__()
        self.num_heads = num_heads
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(ctx_dim or dim, 2 * dim, bias=False)
        self.to_out = nn.Linear(dim, dim)

    def forward(self, x, context, context_mask=None):
        """context_mask (B, Sk): True = real token"""
        q = self.to_q(x)
        k, v = self.to_kv(context).chunk(2, dim=-1)
        q, k, v = (t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for t in (q, k, v))
        dots = q @ k.transpose(-1, -2)
        if context_mask is not None:
            dots = dots.masked_fill(~context_mask[:, None, None, :], torch.finfo(dots.dtype).min)
        return self.to_out((dots.softmax(dim=-1) @ v).transpose(1, 2).flatten(2))
