import torch
import torch.nn as nn


class MultiQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.query = nn.Linear(d_model, d_model)
        self.key = nn.Linear(d_model, self.d_k)
        self.value = nn.Linear(d_model, self.d_k)
        self.out = nn.Linear(d_model, d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        B, S, _ = x.shape
        q = self.query(x).view(B, S, self.num_heads, self.d_k).transpose(1, 2)
        k = self.key(x).unsqueeze(1)
        v = self.value(x).unsqueeze(1)
        a = self.drop(torch.softmax(q @ k.transpose(-1, -2) / self.d_k**0.5, -1))
        return self.out((a @ v).transpose(1, 2).reshape(B, S, -1))
