import math

import torch
from torch import nn


class CausalGQA(nn.Module):
    def __init__(self, n_embd, n_head, n_kv_head):
        super().__init__()
        assert n_head % n_kv_head == 0
        self.h, self.hk = n_head, n_kv_head
        self.d = n_embd // n_head
        self.qkv = nn.Linear(n_embd, (n_head + 2 * n_kv_head) * self.d)
        self.proj = nn.Linear(n_embd, n_embd)

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.qkv(x).split([self.h * self.d, self.hk * self.d, self.hk * self.d], dim=-1)
        q = q.view(B, T, self.hk, self.h // self.hk, self.d).permute(0, 2, 3, 1, 4)
        k = k.view(B, T, self.hk, 1, self.d).permute(0, 2, 3, 1, 4)
        v = v.view(B, T, self.hk, 1, self.d).permute(0, 2, 3, 1, 4)
        att = q @ k.transpose(-1, -2) / math.sqrt(self.d)
        causal = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
        att = att.masked_fill(~causal, float("-inf")).softmax(-1)
        y = (att @ v).permute(0, 3, 1, 2, 4).reshape(B, T, C)
        return self.proj(y)
