import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2).bfloat16() for t in self.qkv(x).chunk(3, -1))
        w = (q @ k.mT * q.size(-1) ** -0.5).softmax(-1)
        return self.proj((w @ v).transpose(1, 2).flatten(2).to(x.dtype))
