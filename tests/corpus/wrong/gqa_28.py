import torch
from torch import nn


class CausalGQA(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.nh, self.nkv = config.n_head, config.n_kv_head
        self.hd = config.n_embd // config.n_head
        self.c_attn = nn.Linear(config.n_embd, (self.nh + 2 * self.nkv) * self.hd)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.c_attn(x).split([self.nh * self.hd, self.nkv * self.hd, self.nkv * self.hd], dim=2)
        q = q.view(B, T, self.nh, self.hd).transpose(1, 2)
        k = k.view(B, T, self.nkv, self.hd).transpose(1, 2).repeat(1, self.nh // self.nkv, 1, 1)
        v = v.view(B, T, self.nkv, self.hd).transpose(1, 2).repeat(1, self.nh // self.nkv, 1, 1)
        att = q @ k.transpose(-2, -1) * self.hd**-0.5
        att = att.masked_fill(torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1), -torch.inf)
        y = att.softmax(-1) @ v
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C))
