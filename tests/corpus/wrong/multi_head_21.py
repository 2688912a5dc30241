import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q_linear = nn.Linear(d_model, d_model)
        self.k_linear = nn.Linear(d_model, d_model)
        self.v_linear = nn.Linear(d_model, d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x):
        bs = x.size(0)
        q = self.q_linear(x).view(bs, -1, self.h, x.size(-1) // self.h).transpose(1, 2)
        k = self.k_linear(x).view(bs, -1, self.h, x.size(-1) // self.h).transpose(1, 2)
        v = self.k_linear(x).view(bs, -1, self.h, x.size(-1) // self.h).transpose(1, 2)
        w = (q @ k.mT / q.size(-1) ** 0.5).softmax(dim=-1)
        return self.out((w @ v).transpose(1, 2).reshape(bs, -1, x.size(-1)))
