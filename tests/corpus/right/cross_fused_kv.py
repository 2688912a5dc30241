import torch
from torch import nn, einsum


class PerceiverCross(nn.Module):
    """Latents read a byte array; inner width is heads * dim_head and need not be dim."""

    def __init__(self, dim, dim_context=None, heads=4, dim_head=8):
        super().__init__()
        inner = heads * dim_head
        self.heads, self.scale = heads, dim_head ** -0.5
        self.to_q = nn.Linear(dim, inner, bias=False)
        self.to_kv = nn.Linear(dim_context or dim, inner * 2, bias=False)
        self.to_out = nn.Linear(inner, dim)

    def forward(self, latents, data, mask=None):
        """mask: (batch, data length), True = keep"""
        q = self.to_q(latents) * self.scale
        k, v = self.to_kv(data).tensor_split(2, dim=-1)
        q, k, v = (t.reshape(t.shape[0], t.shape[1], self.heads, -1) for t in (q, k, v))
        sim = einsum("bihd,bjhd->bhij", q, k)
        if mask is not None:
            sim = sim.masked_fill(~mask[:, None, None], float("-inf"))
        return self.to_out(einsum("bhij,bjhd->bihd", sim.softmax(-1), v).flatten(2))
