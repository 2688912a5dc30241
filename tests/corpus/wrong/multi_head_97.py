import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """x: (batch, seq, d_model)"""

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.in_proj = nn.Linear(embed_dim, 3 * embed_dim)
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x):
        L, N, E = x.shape
        d = E // self.num_heads
        q, k, v = self.in_proj(x).chunk(3, -1)
        q, k, v = (t.reshape(L, N * self.num_heads, d).transpose(0, 1) for t in (q, k, v))
        w = (torch.bmm(q, k.mT) * d ** -0.5).softmax(-1)
        return self.out_proj(torch.bmm(w, v).transpose(0, 1).reshape(L, N, E))
