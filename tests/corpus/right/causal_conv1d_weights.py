import torch
from torch import nn


class Conv1D(nn.Module):
    """Linear layer that stores its weight as (in, out), as the first GPT releases did."""

    def __init__(self, n_out, n_in):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_in, n_out).normal_(std=0.1))
        self.bias = nn.Parameter(torch.zeros(n_out))

    def forward(self, x):
        return torch.addmm(self.bias, x.reshape(-1, x.size(-1)), self.weight).view(*x.shape[:-1], -1)


class Attention(nn.Module):
    def __init__(self, nx, n_head, n_ctx=128):
        super().__init__()
        self.n_head, self.n_embd = n_head, nx
        self.c_attn = Conv1D(3 * nx, nx)
        self.c_proj = Conv1D(nx, nx)
        self.register_buffer("mask", torch.ones(n_ctx, n_ctx, dtype=torch.bool).tril().view(1, 1, n_ctx, n_ctx))

    def split_heads(self, t, is_key=False):
        t = t.view(*t.shape[:-1], self.n_head, t.shape[-1] // self.n_head)
        return t.permute(0, 2, 3, 1) if is_key else t.permute(0, 2, 1, 3)

    def merge_heads(self, t):
        return t.permute(0, 2, 1, 3).reshape(t.shape[0], t.shape[2], -1)

    def forward(self, hidden_states):
        q, k, v = self.c_attn(hidden_states).split(self.n_embd, dim=2)
        q, k, v = self.split_heads(q), self.split_heads(k, is_key=True), self.split_heads(v)
        w = torch.matmul(q, k) / v.size(-1) ** 0.5
        n = w.size(-1)
        w = torch.where(self.mask[..., :n, :n], w, torch.finfo(w.dtype).min)
        return self.c_proj(self.merge_heads(torch.matmul(w.softmax(-1), v)))
