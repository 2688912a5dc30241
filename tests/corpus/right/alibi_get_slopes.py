import math

import torch
import torch.nn as nn


def get_slopes(n):
    def get_slopes_power_of_2(n):
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        ratio = start
        return [start * ratio**i for i in range(n)]

    if math.log2(n).is_integer():
        return get_slopes_power_of_2(n)
    closest_power_of_2 = 2 ** math.floor(math.log2(n))
    return get_slopes_power_of_2(closest_power_of_2) + get_slopes(2 * closest_power_of_2)[0::2][: n - closest_power_of_2]


class ALiBiAttention(nn.Module):
    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__()
        self.n_heads = n_heads
        self.d_head = d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("slopes", torch.tensor(get_slopes(n_heads)).view(1, n_heads, 1, 1))

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (p(x).view(b, t, self.n_heads, self.d_head).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        pos = torch.arange(t, device=x.device)
        rel = pos[None, :] - pos[:, None]
        att = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        att = att + self.slopes.to(att.dtype) * rel
        att = att.masked_fill(rel > 0, float("-inf"))
        att = self.dropout(att.softmax(dim=-1))
        return self.out_proj((att @ v).transpose(1, 2).reshape(b, t, c))
