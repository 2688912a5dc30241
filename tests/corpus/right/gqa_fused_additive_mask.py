import torch
import torch.nn as nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, hidden_size=48, num_heads=6, num_key_value_heads=2, head_dim=None):
        super().__init__()
        self.nh, self.nkv = num_heads, num_key_value_heads
        self.hd = head_dim or hidden_size // num_heads
        self.qkv_proj = nn.Linear(hidden_size, (self.nh + 2 * self.nkv) * self.hd, bias=False)
        self.o_proj = nn.Linear(self.nh * self.hd, hidden_size, bias=False)

    def forward(self, hidden_states, attention_mask=None):
        B, S, _ = hidden_states.shape
        q, k, v = self.qkv_proj(hidden_states).split([self.nh * self.hd, self.nkv * self.hd, self.nkv * self.hd], -1)
        q = q.view(B, S, self.nkv, self.nh // self.nkv, self.hd)
        k = k.view(B, S, self.nkv, self.hd)
        v = v.view(B, S, self.nkv, self.hd)
        s = torch.einsum("bikgd,bjkd->bkgij", q, k) / self.hd ** 0.5
        if attention_mask is not None:
            # additive, (B, 1, S, S)
            s = s + attention_mask[:, :, None]
        o = torch.einsum("bkgij,bjkd->bikgd", s.softmax(-1), v)
        return self.o_proj(o.reshape(B, S, -1))
