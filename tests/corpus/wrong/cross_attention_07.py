import math
import torch
import torch.nn as nn
import torch.nn.functional as F


class CrossAttention(nn.Module):
    """ctx_mask: 1 = token, 0 = padding"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.d_model = d_model
        self.n_heads = n_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x, ctx, ctx_mask=None):
        b = x.shape[0]
        q = self.W_q(x).reshape(b, -1, self.n_heads, self.d_model // self.n_heads)
        k = self.W_k(ctx).reshape(b, -1, self.n_heads, self.d_model // self.n_heads)
        v = self.W_v(ctx).reshape(b, -1, self.n_heads, self.d_model // self.n_heads)
        e = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(self.d_model)
        if ctx_mask is not None:
            e = e.masked_fill(ctx_mask[:, None, None, :] == 0, torch.finfo(e.dtype).min)
        return self.W_o(torch.einsum("bhqk,bkhd->bqhd", F.softmax(e, -1), v).flatten(2))
