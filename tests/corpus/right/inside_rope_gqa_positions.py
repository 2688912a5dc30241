import torch
from torch import nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, rope_theta=1000000.0):
        super().__init__()
        self.h, self.hk, self.d = num_heads, num_kv_heads, hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, self.h * self.d)
        self.k_proj = nn.Linear(hidden_size, self.hk * self.d)
        self.v_proj = nn.Linear(hidden_size, self.hk * self.d)
        self.o_proj = nn.Linear(self.h * self.d, hidden_size, bias=False)
        self.register_buffer("inv_freq", rope_theta ** (-torch.arange(0, self.d, 2, dtype=torch.float32) / self.d))

    def rotate(self, x, positions):
        ang = positions[..., None].float() * self.inv_freq
        cos = torch.cat([ang.cos(), ang.cos()], -1).to(x.dtype)
        sin = torch.cat([ang.sin(), ang.sin()], -1).to(x.dtype)
        a, b = x.chunk(2, -1)
        return x * cos + torch.cat([-b, a], -1) * sin

    def forward(self, hidden_states, position_ids=None):
        b, s, _ = hidden_states.shape
        if position_ids is None:
            position_ids = torch.arange(s, device=hidden_states.device)
        q = self.q_proj(hidden_states).view(b, s, self.h, self.d).transpose(1, 2)
        k = self.k_proj(hidden_states).view(b, s, self.hk, self.d).transpose(1, 2)
        v = self.v_proj(hidden_states).view(b, s, self.hk, self.d).transpose(1, 2)
        q, k = self.rotate(q, position_ids), self.rotate(k, position_ids)
        g = self.h // self.hk
        w = q.view(b, self.hk, g, s, self.d) @ k[:, :, None].mT / self.d**0.5
        o = w.softmax(-1) @ v[:, :, None]
        return self.o_proj(o.reshape(b, self.h, s, self.d).transpose(1, 2).flatten(2))
