import torch
from torch import nn
class MultiheadAttention(nn.Module):
    """attn_mask (Sq, Sk): True = hidden. key_padding_mask (B, Sk): True = padding."""
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.h = num_heads
        self.q = nn.Linear(embed_dim, embed_dim); self.k = nn.Linear(embed_dim, embed_dim)
        self.v = nn.Linear(embed_dim, embed_dim); self.o = nn.Linear(embed_dim, embed_dim)
    def forward(self, query, key, value, attn_mask=None, key_padding_mask=None):
        B, T, C = query.shape
        sp = lambda t: t.view(B, -1, self.h, C // self.h).transpose(1, 2)
        q, k, v = sp(self.q(query)), sp(self.k(key)), sp(self.v(value))
        s = q @ k.mT / (C // self.h) ** .5
        mask = None
        if attn_mask is not None:
            mask = attn_mask[None, None]
        if key_padding_mask is not None:
            mask = key_padding_mask[:, None, None]
        if mask is not None:
            s = s.masked_fill(mask, float("-inf"))
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
