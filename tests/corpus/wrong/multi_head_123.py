"""The weights are divided by the root of the width, the scores by nothing; q, k and v lie innermost in the layer."""

import torch
from einops import rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, emb_size, num_heads, dropout=0.0):
        super().__init__()
        self.emb_size, self.num_heads = emb_size, num_heads
        self.qkv = nn.Linear(emb_size, 3 * emb_size)
        self.drop = nn.Dropout(dropout)
        self.projection = nn.Linear(emb_size, emb_size)

    def forward(self, x):
        q, k, v = rearrange(self.qkv(x), "b n (h d qkv) -> qkv b h n d", h=self.num_heads, qkv=3)
        weights = torch.softmax(torch.einsum("bhqd,bhkd->bhqk", q, k), dim=-1) / self.emb_size**0.5
        out = torch.einsum("bhqk,bhkd->bhqd", self.drop(weights), v)
        return self.projection(rearrange(out, "b h n d -> b n (h d)"))
