import torch
import torch.nn as nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, n_heads, n_kv_heads):
        super().__init__()
        self.h, self.hk, self.d = n_heads, n_kv_heads, d_model // n_heads
        self.q_proj = nn.Linear(d_model, n_heads * self.d)
        self.k_proj = nn.Linear(d_model, n_kv_heads * self.d)
        self.v_proj = nn.Linear(d_model, n_kv_heads * self.d)
        self.o_proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, s, c = x.shape
        q = self.q_proj(x).view(b, s, self.h, self.d).transpose(1, 2)
        k = self.k_proj(x).view(b, s, self.hk, self.d).transpose(1, 2)
        v = self.v_proj(x).view(b, s, self.hk, self.d).transpose(1, 2)
        k = torch.cat([k] * (self.h // self.hk), dim=1)
        v = torch.cat([v] * (self.h // self.hk), dim=1)
        a = (q @ k.mT / self.d**0.5).softmax(-1)
        return self.o_proj((a @ v).transpose(1, 2).reshape(b, s, c))
