import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (nn.Linear(d_model, d_model) for _ in range(4))

    def split(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)

    def forward(self, x, mask=None):
        q = self.split(self.q_proj(x))
        k = self.split(self.q_proj(x))
        v = self.split(self.v_proj(x))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(~mask, -torch.inf)
        return self.o_proj((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
