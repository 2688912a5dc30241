"""GPT-2 style attention with layer_past / use_cache."""
import torch
from torch import nn


class Conv1D(nn.Module):
    def __init__(self, nf, nx):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(nx, nf).normal_(std=0.02))
        self.bias = nn.Parameter(torch.zeros(nf))

    def forward(self, x):
        return torch.addmm(self.bias, x.view(-1, x.size(-1)), self.weight).view(*x.size()[:-1], -1)


class GPT2Attention(nn.Module):
    def __init__(self, nx, n_head, n_ctx=1024, attn_pdrop=0.1):
        super().__init__()
        self.n_head = n_head
        self.split_size = nx
        self.register_buffer("bias", torch.tril(torch.ones(n_ctx, n_ctx)).view(1, 1, n_ctx, n_ctx))
        self.c_attn = Conv1D(3 * nx, nx)
        self.c_proj = Conv1D(nx, nx)
        self.attn_dropout = nn.Dropout(attn_pdrop)

    def split_heads(self, x):
        return x.view(*x.size()[:-1], self.n_head, x.size(-1) // self.n_head).permute(0, 2, 1, 3)

    def forward(self, hidden_states, layer_past=None, use_cache=False):
        query, key, value = self.c_attn(hidden_states.contiguous()).split(self.split_size, dim=2)
        query, key, value = map(self.split_heads, (query, key, value))
        if layer_past is not None:
            past_key, past_value = layer_past
            key = torch.cat((past_key, key), dim=-2)
            value = torch.cat((past_value, value), dim=-2)
        present = (key, value) if use_cache else None
        w = torch.matmul(query, key.transpose(-1, -2)) / (value.size(-1) ** 0.5)
        nd, ns = w.size(-2), w.size(-1)
        b = self.bias[:, :, ns - nd : ns, :ns]
        w = torch.where(b.bool(), w, torch.finfo(w.dtype).min)
        w = self.attn_dropout(nn.functional.softmax(w, dim=-1))
        a = torch.matmul(w, value)
        a = a.permute(0, 2, 1, 3).contiguous()
        a = a.view(*a.size()[:-2], -1)
        return self.c_proj(a), present
