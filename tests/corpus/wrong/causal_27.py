import torch
from torch import nn, einsum


class Attention(nn.Module):
    """causal attention, block of a small GPT"""

    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.scale = (dim // heads) ** -0.5
        self.to_qkv = nn.Linear(dim, dim * 3, bias=False)
        self.to_out = nn.Linear(dim, dim)

    def forward(self, x):
        n = x.shape[1]
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.to_qkv(x).chunk(3, dim=-1))
        q = q * self.scale
        sim = einsum("b h i d, b h j d -> b h i j", q, k) * self.scale
        mask = torch.ones(n, n, dtype=torch.bool, device=x.device).triu()
        sim = sim.masked_fill(mask, -torch.finfo(sim.dtype).max)
        out = einsum("b h i j, b h j d -> b h i d", sim.softmax(-1), v)
        return self.to_out(out.transpose(1, 2).flatten(2))
