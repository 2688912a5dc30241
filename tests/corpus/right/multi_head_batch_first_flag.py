import torch
from torch import nn


class SimpleMHA(nn.Module):
    def __init__(self, embed_dim, num_heads, batch_first=True):
        super().__init__()
        self.num_heads = num_heads
        self.batch_first = batch_first
        self.q = nn.Linear(embed_dim, embed_dim)
        self.k = nn.Linear(embed_dim, embed_dim)
        self.v = nn.Linear(embed_dim, embed_dim)
        self.o = nn.Linear(embed_dim, embed_dim)

    def forward(self, x):
        """(B, S, C) or, with batch_first=False, (S, B, C)"""
        if not self.batch_first:
            x = x.transpose(0, 1)
        B, S, C = x.shape
        shape = (B, S, self.num_heads, C // self.num_heads)
        q, k, v = self.q(x).reshape(shape), self.k(x).reshape(shape), self.v(x).reshape(shape)
        w = torch.einsum("bqhd,bkhd->bhqk", q, k).mul(shape[-1] ** -0.5).softmax(-1)
        y = self.o(torch.einsum("bhqk,bkhd->bqhd", w, v).reshape(B, S, C))
        return y if self.batch_first else y.transpose(0, 1)
