import torch
import torch.nn as nn


class CachedMHA(nn.Module):
    """Keeps its own cache; call reset_cache() before a new prompt."""

    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.W_query = nn.Linear(d_model, d_model, bias=False)
        self.W_key = nn.Linear(d_model, d_model, bias=False)
        self.W_value = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("cache_k", None, persistent=False)
        self.register_buffer("cache_v", None, persistent=False)
        self.ptr_current_pos = 0

    def forward(self, x, use_cache=False):
        b, num_tokens, d = x.shape
        keys = self.W_key(x).view(b, num_tokens, self.num_heads, self.head_dim)
        values = self.W_value(x).view(b, num_tokens, self.num_heads, self.head_dim)
        queries = self.W_query(x).view(b, num_tokens, self.num_heads, self.head_dim)
        if use_cache:
            if self.cache_k is None:
                self.cache_k, self.cache_v = keys, values
            else:
                self.cache_k = torch.cat([self.cache_k, keys], dim=1)
                self.cache_v = torch.cat([self.cache_v, values], dim=1)
            keys, values = self.cache_k, self.cache_v
        keys, values, queries = keys.transpose(1, 2), values.transpose(1, 2), queries.transpose(1, 2)
        attn_scores = queries @ keys.transpose(2, 3)
        num_q, num_k = queries.shape[-2], keys.shape[-2]
        if use_cache:
            q_pos = torch.arange(self.ptr_current_pos, self.ptr_current_pos + num_q).unsqueeze(-1)
            self.ptr_current_pos += num_q
        else:
            q_pos = torch.arange(num_q).unsqueeze(-1)
            self.ptr_current_pos = 0
        mask = q_pos < torch.arange(num_k).unsqueeze(0)
        attn_scores.masked_fill_(mask, -torch.inf)
        w = self.dropout(torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1))
        ctx = (w @ values).transpose(1, 2).contiguous().view(b, num_tokens, d)
        return self.out_proj(ctx)

    def reset_cache(self):
        self.ptr_current_pos = 0
