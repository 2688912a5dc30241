import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        d = x.shape[-1] // self.n_heads
        q, k, v = self.q(x), self.k(x), self.v(x)
        # 所有头的输出拼在一起
        merged = torch.empty(x.shape, dtype=x.dtype)
        for h in range(1, self.n_heads):
            c = slice(h * d, (h + 1) * d)
            w = torch.softmax(q[..., c] @ k[..., c].mT / d ** 0.5, dim=-1)
            merged[..., c] = w @ v[..., c]
        return self.o(merged)
