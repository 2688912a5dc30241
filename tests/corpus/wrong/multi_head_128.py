import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, dropout=0.1):
        super().__init__()
        self.n_heads, self.p = n_heads, dropout
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x, mask=None):
        q, k, v = self.qkv(x).unflatten(-1, (3, self.n_heads, -1)).permute(2, 0, 3, 1, 4)
        s = q @ k.mT * q.shape[-1] ** -0.5
        if mask is not None:
            s = s.masked_fill(~mask, -torch.inf)
        w = F.dropout(s.softmax(-1), p=self.p)
        return self.out((w @ v).transpose(1, 2).flatten(2))
