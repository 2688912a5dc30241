import numpy as np
import torch
from torch import nn


class ScaledDotProductAttention(nn.Module):
    def forward(self, q, k, v, pad):
        scores = q @ k.transpose(-1, -2) / np.sqrt(k.size(-1))
        if pad is not None:
            scores = scores.masked_fill(pad, float("-inf"))
        attn = torch.softmax(scores, -1)
        return attn @ v, attn


class MultiHeadAttention(nn.Module):
    """d_k 与 d_v 可以不同。pad_mask: (B, S, S)，True = 屏蔽。"""

    def __init__(self, d_model=32, n_heads=4, d_k=8, d_v=6):
        super().__init__()
        self.n_heads, self.d_k, self.d_v = n_heads, d_k, d_v
        self.W_Q = nn.Linear(d_model, d_k * n_heads, bias=False)
        self.W_K = nn.Linear(d_model, d_k * n_heads, bias=False)
        self.W_V = nn.Linear(d_model, d_v * n_heads, bias=False)
        self.fc = nn.Linear(n_heads * d_v, d_model, bias=False)
        self.core = ScaledDotProductAttention()

    def forward(self, input_Q, input_K, input_V, pad_mask=None):
        bs = input_Q.size(0)
        Q = self.W_Q(input_Q).view(bs, -1, self.n_heads, self.d_k).transpose(1, 2)
        K = self.W_K(input_K).view(bs, -1, self.n_heads, self.d_k).transpose(1, 2)
        V = self.W_V(input_V).view(bs, -1, self.n_heads, self.d_v).transpose(1, 2)
        if pad_mask is not None:
            pad_mask = pad_mask.unsqueeze(1).repeat(1, self.n_heads, 1, 1)
        context, attn = self.core(Q, K, V, pad_mask)
        context = context.transpose(1, 2).reshape(bs, -1, self.n_heads * self.d_v)
        return self.fc(context), attn
