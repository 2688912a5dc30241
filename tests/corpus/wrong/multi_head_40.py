import torch
from torch import nn


class MHA(nn.Module):
    def __init__(self, d_model, n_heads, dropout=0.2):
        super().__init__()
        self.n_heads, self.dropout = n_heads, dropout
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x):
        # 每次前向都新建 dropout
        drop = nn.Dropout(self.dropout)
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        w = drop(torch.softmax(q @ k.mT * q.size(-1) ** -0.5, dim=-1))
        return self.out((w @ v).transpose(1, 2).flatten(2))
