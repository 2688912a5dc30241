import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    NEG = -10.0

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.wq = nn.Linear(d_model, d_model)
        self.wk = nn.Linear(d_model, d_model)
        self.wv = nn.Linear(d_model, d_model)
        self.wo = nn.Linear(d_model, d_model)

    def forward(self, x, mask=None):
        # mask True -> keep
        h = self.n_heads
        q, k, v = [w(x).unflatten(-1, (h, x.shape[-1] // h)).transpose(1, 2) for w in (self.wq, self.wk, self.wv)]
        s = q @ k.transpose(-2, -1) / (x.shape[-1] // h) ** 0.5
        if mask is not None:
            s[~mask.expand_as(s)] = self.NEG
        return self.wo((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
