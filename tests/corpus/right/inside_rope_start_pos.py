import torch
import torch.nn as nn


class CausalSelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n_head = config.n_head
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd, bias=False)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd, bias=False)

    @staticmethod
    def rotary(x, start):
        b, t, h, d = x.shape
        pos = torch.arange(start, start + t, dtype=torch.float32, device=x.device)
        f = torch.outer(pos, 1.0 / 10000 ** (torch.arange(0, d, 2, device=x.device) / d))
        c, s = f.cos()[:, None].to(x.dtype), f.sin()[:, None].to(x.dtype)
        even, odd = x[..., ::2], x[..., 1::2]
        return torch.stack((even * c - odd * s, even * s + odd * c), -1).flatten(-2)

    def forward(self, x, start_pos):
        B, T, C = x.shape
        q, k, v = self.c_attn(x).view(B, T, 3, self.n_head, C // self.n_head).unbind(2)
        q, k = self.rotary(q, start_pos), self.rotary(k, start_pos)
        q, k, v = (t.transpose(1, 2) for t in (q, k, v))
        att = (q @ k.transpose(-2, -1)) * (C // self.n_head) ** -0.5
        att = att.masked_fill(torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1), float("-inf"))
        return self.c_proj((att.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C))
