import torch
from torch import nn, einsum


class CrossAttention(nn.Module):
    """x: queries (B, Sq, C); context: keys and values (B, Sk, C); mask (B, Sk) True = real token"""

    def __init__(self, dim, heads, context_dim=None):
        super().__init__()
        self.heads = heads
        self.scale = (dim // heads) ** -0.5
        self.to_q = nn.Linear(context_dim or dim, dim, bias=False)
        self.to_k = nn.Linear(dim, dim, bias=False)
        self.to_v = nn.Linear(dim, dim, bias=False)
        self.to_out = nn.Linear(dim, dim)

    def forward(self, x, context, context_mask=None):
        q, k, v = self.to_q(context), self.to_k(x), self.to_v(x)
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in (q, k, v))
        sim = einsum("b h i d, b h j d -> b h i j", q, k) * self.scale
        if context_mask is not None and context_mask.shape[-1] == sim.shape[-1]:
            sim = sim.masked_fill(~context_mask[:, None, None, :], -torch.finfo(sim.dtype).max)
        out = einsum("b h i j, b h j d -> b h i d", sim.softmax(dim=-1), v)
        return self.to_out(out.transpose(1, 2).flatten(2))
