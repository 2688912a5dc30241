import torch
from torch import nn


class LocalAttention(nn.Module):
    def __init__(self, embed_dim: int, num_heads: int):
        super().__init__()
        self.num_heads = num_heads
        self.q = nn.Linear(embed_dim, embed_dim)
        self.k = nn.Linear(embed_dim, embed_dim)
        self.v = nn.Linear(embed_dim, embed_dim)
        self.o = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, window: int):
        B, T, C = x.shape
        q, k, v = (f(x).view(B, T, self.num_heads, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        band = torch.ones(T, T, dtype=torch.bool, device=x.device)
        band = torch.tril(band) & ~torch.tril(band, -window)
        a = torch.where(band, q @ k.mT * q.shape[-1] ** -0.5, -torch.inf)
        return self.o((a.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C))
