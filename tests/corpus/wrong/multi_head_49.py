import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    @staticmethod
    def similarity(q, k):
        return (q @ k.mT / q.size(-1) ** 0.5).softmax(dim=-1)

    def forward(self, x):
        B, S, C = x.shape
        q, k, v = (f(x).view(B, S, self.n_heads, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        weights = torch.softmax(self.similarity(q, k), dim=-1)
        return self.o((weights @ v).transpose(1, 2).reshape(B, S, C))
