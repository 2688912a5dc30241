import math
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.d_k = n_heads, d_model // n_heads
        self.W_q, self.W_k, self.W_v, self.W_o = [nn.Linear(d_model, d_model) for _ in range(4)]

    def split(self, x):
        return x.view(x.size(0), x.size(1), self.n_heads, self.d_k).transpose(1, 2)

    def forward(self, x, mask=None):
        """mask: True 可见"""
        q, k, v = map(self.split, (self.W_q(x), self.W_k(x), self.W_v(x)))
        s = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.d_k)
        if mask is not None:
            s = s.masked_fill(~mask, -math.inf)
        out = torch.matmul(torch.softmax(s, -1), v)
        out = out.transpose(1, 2).contiguous().view(x.size(0), -1, self.n_heads * self.d_k)
        return out, s
