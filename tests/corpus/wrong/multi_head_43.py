import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.seq_len = None
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        if self.seq_len is None:
            self.seq_len = x.size(1)
        C = x.size(2)
        q, k, v = self.qkv(x).view(-1, self.seq_len, 3, self.n_heads, C // self.n_heads).permute(2, 0, 3, 1, 4)
        w = (q @ k.transpose(-1, -2) / (C // self.n_heads) ** 0.5).softmax(-1)
        return self.proj((w @ v).transpose(1, 2).reshape(x.size(0), self.seq_len, C))
