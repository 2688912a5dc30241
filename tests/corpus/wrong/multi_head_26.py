import torch
import torch.nn as nn


class MultiheadAttention(nn.Module):
    """Input (batch, seq, embed), i.e. batch_first=True."""

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, embed_dim // num_heads
        self.q_lin = nn.Linear(embed_dim, embed_dim)
        self.k_lin = nn.Linear(embed_dim, embed_dim)
        self.v_lin = nn.Linear(embed_dim, embed_dim)
        self.out_lin = nn.Linear(embed_dim, embed_dim)

    def forward(self, x):
        L, N, E = x.shape
        q = self.q_lin(x).reshape(L, N * self.num_heads, self.head_dim).transpose(0, 1)
        k = self.k_lin(x).reshape(L, N * self.num_heads, self.head_dim).transpose(0, 1)
        v = self.v_lin(x).reshape(L, N * self.num_heads, self.head_dim).transpose(0, 1)
        w = torch.softmax(torch.bmm(q, k.transpose(1, 2)) / self.head_dim ** 0.5, dim=-1)
        return self.out_lin(torch.bmm(w, v).transpose(0, 1).reshape(L, N, E))
