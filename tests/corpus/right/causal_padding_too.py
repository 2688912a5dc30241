import torch
from torch import nn


class CausalAttention(nn.Module):
    """Causal, with a padding mask (batch, seq), True = real token; both hide with the least number of the type."""

    def __init__(self, dim, heads=8):
        super().__init__()
        self.heads = heads
        self.to_qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.to_out = nn.Linear(dim, dim)

    def forward(self, x, mask=None):
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.to_qkv(x).chunk(3, dim=-1))
        dots = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
        least = -torch.finfo(dots.dtype).max
        if mask is not None:
            dots.masked_fill_(~mask[:, None, None, :], least)
        i, j = dots.shape[-2:]
        future = torch.ones(i, j, dtype=torch.bool, device=x.device).triu_(j - i + 1)
        dots.masked_fill_(future, least)
        return self.to_out((dots.softmax(dim=-1) @ v).transpose(1, 2).flatten(2))
