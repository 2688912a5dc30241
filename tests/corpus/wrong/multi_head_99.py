import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.a = nn.Linear(d_model, 3 * d_model)
        self.b = nn.Linear(d_model, d_model)

    def forward(self, x):
        q, k, v = self.a(x).unflatten(-1, (3, self.n_heads, -1)).unbind(-3)
        s = torch.einsum("bihd,bjhd->bijh", q, k) / x.shape[-1] ** 0.5
        return self.b(torch.einsum("bijh,bjhd->bihd", s.softmax(1), v).flatten(-2))
