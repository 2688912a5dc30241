import torch
import torch.nn as nn


class ParallelAttention(nn.Module):
    """Fused projection whose rows are grouped by head: [q0 k0 v0 | q1 k1 v1 | ...]."""

    def __init__(self, hidden_size, num_attention_heads):
        super().__init__()
        self.np = num_attention_heads
        self.hn = hidden_size // num_attention_heads
        self.query_key_value = nn.Linear(hidden_size, 3 * hidden_size)
        self.dense = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask=None):
        """attention_mask: bool, True positions are masked out, (B, 1, S, S)"""
        b, s, _ = hidden_states.shape
        mixed = self.query_key_value(hidden_states).view(b, s, self.np, 3 * self.hn)
        q, k, v = mixed.split(self.hn, dim=-1)
        scores = torch.einsum("bqnd,bknd->bnqk", q, k) * self.hn**-0.5
        if attention_mask is not None:
            scores = scores.masked_fill(attention_mask, torch.finfo(scores.dtype).min)
        ctx = torch.einsum("bnqk,bknd->bqnd", scores.softmax(-1), v)
        return self.dense(ctx.reshape(b, s, -1))
