import math

import torch
from torch import nn


class BloomAttention(nn.Module):
    def __init__(self, hidden_size, n_head):
        super().__init__()
        self.num_heads = n_head
        self.head_dim = hidden_size // n_head
        self.inv_norm_factor = 1.0 / math.sqrt(self.head_dim)
        self.query_key_value = nn.Linear(hidden_size, 3 * hidden_size, bias=True)
        self.dense = nn.Linear(hidden_size, hidden_size)

    def build_alibi(self, length, dtype, device):
        base = torch.tensor(2 ** (-(2 ** -(math.log2(self.num_heads) - 3))), dtype=torch.float32, device=device)
        powers = torch.arange(1, 1 + self.num_heads, dtype=torch.int32, device=device)
        slopes = torch.pow(base, powers)
        return (slopes[:, None, None] * torch.arange(length, device=device)[None, None, :]).to(dtype)

    def forward(self, hidden_states):
        b, s, _ = hidden_states.shape
        fused = self.query_key_value(hidden_states).view(b, s, self.num_heads, 3, self.head_dim)
        q, k, v = (fused[..., i, :].transpose(1, 2) for i in range(3))
        scores = (q * self.inv_norm_factor) @ k.transpose(-1, -2) + self.build_alibi(s, q.dtype, q.device)
        future = torch.ones(s, s, dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(future, torch.finfo(scores.dtype).min)
        context = torch.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype) @ v
        return self.dense(context.transpose(1, 2).reshape(b, s, -1))
