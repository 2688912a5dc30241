import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """each head is d_model wide"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.d = d_model // n_heads
        self.wq, self.wk, self.wv = (nn.Linear(d_model, d_model) for _ in range(3))
        self.wo = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, s, c = x.shape
        q, k, v = (w(x).view(b, s, self.n_heads, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        w = (q @ k.mT / self.d ** 0.5).softmax(-1).mean(1, keepdim=True)
        return self.wo((w @ v).transpose(1, 2).reshape(b, s, c))
