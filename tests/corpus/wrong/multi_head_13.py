import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """多头：每个头有自己的投影"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        d = d_model // n_heads
        self.q = nn.Linear(d_model, d)
        self.k = nn.Linear(d_model, d)
        self.v = nn.Linear(d_model, d)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x):
        heads = []
        for _ in range(self.n_heads):
            q, k, v = self.q(x), self.k(x), self.v(x)
            w = torch.softmax(q @ k.transpose(1, 2) / q.size(-1) ** 0.5, dim=-1)
            heads.append(w @ v)
        return self.out(torch.cat(heads, dim=-1))
