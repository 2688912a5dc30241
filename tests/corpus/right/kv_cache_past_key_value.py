import torch
import torch.nn as nn


class CachedAttention(nn.Module):
    """past_key_value as in transformers; returns (out, present) when use_cache"""

    def __init__(self, hidden_size, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, hidden_size)
        self.k_proj = nn.Linear(hidden_size, hidden_size)
        self.v_proj = nn.Linear(hidden_size, hidden_size)
        self.o_proj = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, past_key_value=None, use_cache=True):
        b, t, _ = hidden_states.shape
        shape = (b, t, self.num_heads, self.head_dim)
        q = self.q_proj(hidden_states).view(shape).transpose(1, 2)
        k = self.k_proj(hidden_states).view(shape).transpose(1, 2)
        v = self.v_proj(hidden_states).view(shape).transpose(1, 2)
        if past_key_value is not None:
            k = torch.cat([past_key_value[0], k], dim=-2)
            v = torch.cat([past_key_value[1], v], dim=-2)
        w = q @ k.transpose(2, 3) / self.head_dim ** 0.5
        i = torch.arange(k.size(2))
        w = w + torch.where(i[None] > i[-t:, None], torch.finfo(w.dtype).min, 0.0)
        out = (w.softmax(-1) @ v).transpose(1, 2).reshape(b, t, -1)
        return self.o_proj(out), (k, v) if use_cache else None
