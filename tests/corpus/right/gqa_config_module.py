import torch
from torch import nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.num_heads = config.num_attention_heads
        self.num_kv = config.num_key_value_heads
        self.head_dim = config.hidden_size // self.num_heads
        self.q_proj = nn.Linear(config.hidden_size, self.num_heads * self.head_dim, bias=True)
        self.k_proj = nn.Linear(config.hidden_size, self.num_kv * self.head_dim, bias=True)
        self.v_proj = nn.Linear(config.hidden_size, self.num_kv * self.head_dim, bias=True)
        self.o_proj = nn.Linear(self.num_heads * self.head_dim, config.hidden_size, bias=False)

    def forward(self, hidden_states, attention_mask=None):
        b, s, _ = hidden_states.shape
        q = self.q_proj(hidden_states).reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(hidden_states).reshape(b, s, self.num_kv, self.head_dim).transpose(1, 2)
        v = self.v_proj(hidden_states).reshape(b, s, self.num_kv, self.head_dim).transpose(1, 2)
        index = torch.arange(self.num_heads, device=q.device) // (self.num_heads // self.num_kv)
        k, v = k[:, index], v[:, index]
        w = q @ k.transpose(-1, -2) * self.head_dim**-0.5
        if attention_mask is not None:
            # 1 = attend, 0 = padding
            w = w.masked_fill(attention_mask[:, None, None, :] == 0, torch.finfo(w.dtype).min)
        w = w.softmax(dim=-1)
        return self.o_proj((w @ v).transpose(1, 2).flatten(2))
