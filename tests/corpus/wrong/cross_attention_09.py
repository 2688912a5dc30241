import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.query = nn.Linear(d_model, d_model)
        self.key = nn.Linear(d_model, d_model)
        self.value = nn.Linear(d_model, d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x, context, context_mask=None):
        # context_mask: True = 有效
        q = self.query(x).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        k = self.key(context).unflatten(-1, (self.n_heads, -1)).permute(0, 2, 3, 1)
        v = self.value(context).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        s = q @ k / q.size(-1) ** 0.5
        if context_mask is not None:
            s = s.masked_fill(~context_mask[:, None, None, :], -6e4)
        return self.out((torch.softmax(s, dim=-2) @ v).transpose(1, 2).flatten(2))
