import torch
from torch import nn


class Attn(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        self.nh, self.hd = num_heads, hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.v_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)

    def forward(self, hidden_states, attention_mask=None):
        """attention_mask: bool, True = attend"""
        b, s, _ = hidden_states.shape
        q = self.q_proj(hidden_states).view(b, s, self.nh, self.hd).transpose(1, 2)
        k = self.k_proj(hidden_states).view(b, s, self.nh, self.hd).transpose(1, 2)
        v = self.q_proj(hidden_states).view(b, s, self.nh, self.hd).transpose(1, 2)
        w = q @ k.transpose(2, 3) / self.hd ** 0.5
        if attention_mask is not None:
            w.masked_fill(~attention_mask, float("-inf"))
        return self.o_proj((w.softmax(-1) @ v).transpose(1, 2).reshape(b, s, -1))
