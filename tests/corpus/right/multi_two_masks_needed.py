import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.dk = d_model // n_heads
        self.q = nn.Linear(d_model, d_model)
        self.k = nn.Linear(d_model, d_model)
        self.v = nn.Linear(d_model, d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x, attn_mask, key_padding_mask):
        b, s, c = x.shape
        q, k, v = (f(x).view(b, s, self.h, self.dk).transpose(1, 2) for f in (self.q, self.k, self.v))
        scores = torch.einsum("bhid,bhjd->bhij", q, k) * self.dk**-0.5
        scores = scores + attn_mask
        scores = scores.masked_fill(key_padding_mask.unsqueeze(1).unsqueeze(2) == 0, float("-inf"))
        p = scores.softmax(-1)
        return self.out((p @ v).transpose(1, 2).reshape(b, s, c))
