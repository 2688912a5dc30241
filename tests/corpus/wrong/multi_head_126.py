import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.d_k = n_heads, d_model // n_heads
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_model, bias=False) for _ in range(3))
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, S, _ = x.shape
        q, k, v = (w(x).view(B, S, self.n_heads, self.d_k).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        p = (q @ k.mT).softmax(-1)
        o = (p @ v).mean(1)
        return self.W_o(o.repeat(1, 1, self.n_heads))
