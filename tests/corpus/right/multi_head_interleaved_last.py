import torch
from torch import nn


class Attention(nn.Module):
    """The fused output is read as (heads, dim, 3): q, k and v alternate along the last axis."""

    def __init__(self, dim, heads=4):
        super().__init__()
        self.heads = heads
        self.to_qkv = nn.Linear(dim, dim * 3, bias=False)
        self.to_out = nn.Linear(dim, dim)

    def forward(self, x):
        q, k, v = self.to_qkv(x).unflatten(-1, (self.heads, -1, 3)).unbind(-1)
        sim = torch.einsum("bihd,bjhd->bhij", q, k) * q.shape[-1] ** -0.5
        out = torch.einsum("bhij,bjhd->bihd", sim.softmax(dim=-1), v)
        return self.to_out(out.flatten(-2))
