import torch
import torch.nn as nn
import math


class MHAWithCache(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)
        self.n_head = n_head

    def forward(self, x, past=None):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(C, dim=2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        present = torch.stack((k, v))
        if past is not None:
            pk, pv = past
            k = torch.cat((pk, k), dim=-2)
            v = torch.cat((pv, v), dim=-2)
            present = torch.stack((k, v))
        FT = k.size(-2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        tri = torch.tril(torch.ones(FT, FT, device=x.device))[:T, :FT]
        att = att.masked_fill(tri == 0, float("-inf"))
        y = torch.softmax(att, dim=-1) @ v
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C)), present
