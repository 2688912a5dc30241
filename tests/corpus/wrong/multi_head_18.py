import torch
import torch.nn as nn
import torch.nn.functional as F


class SelfAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, bias=True):
        super().__init__()
        self.num_heads = num_heads
        self.in_proj = nn.Linear(embed_dim, 3 * embed_dim, bias=bias)
        self.out_proj = nn.Linear(embed_dim, embed_dim, bias=bias)

    def forward(self, x):
        b, n, e = x.shape
        q, k, v = self.in_proj(x).view(b, n, 3, self.num_heads, -1).unbind(2)
        att = torch.einsum("bnhd,bmhd->bhnm", q, k) * (e // self.num_heads) ** -0.5
        y = torch.einsum("bhnm,bmhd->bnhd", F.softmax(att, -1), v).flatten(2)
        return F.linear(y, self.out_proj.weight)
