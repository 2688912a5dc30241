import torch
from torch import nn

class CrossAttention(nn.Module):
    def __init__(self, dim, context_dim, num_heads=8, dropout=0.1):
        super().__init__()
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_k = nn.Linear(context_dim, dim, bias=False)
        self.to_v = nn.Linear(context_dim, dim, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.num_heads, self.head_dim = num_heads, dim // num_heads
        self.scale = self.head_dim ** -0.5

    def forward(self, q, context, query_pos_emb=None, key_pos_emb=None):
        if query_pos_emb is not None:
            q = q + query_pos_emb
        if key_pos_emb is not None:
            context = context + key_pos_emb
        b, n, c = q.shape
        q, k, v = self.to_q(q), self.to_k(context), self.to_v(context)
        q = q.view(b, n, self.num_heads, -1).transpose(1, 2)
        k = k.view(b, -1, self.num_heads, self.head_dim).transpose(1, 2)
        v = v.view(b, -1, self.num_heads, self.head_dim).transpose(1, 2)
        w = self.dropout((q @ k.transpose(-2, -1) * self.scale).softmax(-1))
        return (w @ v).transpose(1, 2).reshape(b, n, c), w
