import torch
import torch.nn as nn


class CausalSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = hidden_size // num_heads
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            setattr(self, name, nn.Linear(hidden_size, hidden_size, bias=False))

    def forward(self, hidden_states):
        bsz, seq, hid = hidden_states.shape
        shape = (bsz, seq, self.num_heads, self.head_dim)
        q = self.q_proj(hidden_states).view(shape).transpose(1, 2)
        k = self.k_proj(hidden_states).view(shape).transpose(1, 2)
        v = self.v_proj(hidden_states).view(shape).transpose(1, 2)
        w = torch.matmul(q, k.transpose(2, 3)) * self.head_dim ** -0.5
        w = w.masked_fill(torch.ones(seq, seq, dtype=torch.bool).triu(diagonal=1), torch.finfo(w.dtype).min)
        out = torch.matmul(w.softmax(dim=-1, dtype=torch.float32).to(v.dtype), v)
        return self.o_proj(out.contiguous().view(bsz, seq, hid))
