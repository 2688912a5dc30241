import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.qkv = nn.Linear(d_model, d_model * 3, bias=False)
        self.o = nn.Linear(d_model, d_model)

    def forward(self, x, mask=None):
        q, k, v = self.qkv(x).unflatten(-1, (3, self.n_heads, -1)).permute(2, 0, 3, 1, 4)
        a = torch.einsum("bhid,bhjd->bhij", q * self.d_model ** -0.5, k)
        if mask is not None:
            a = a.masked_fill(~mask, float("-inf"))
        return self.o(torch.einsum("bhij,bhjd->bihd", a.softmax(-1), v).flatten(-2))
