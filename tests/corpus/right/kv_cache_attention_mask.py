"""HF-like: past_key_value, use_cache; the caller builds the causal mask."""
from typing import Optional, Tuple

import torch
import torch.nn as nn


class OPTAttention(nn.Module):
    def __init__(self, embed_dim: int, num_heads: int, dropout: float = 0.0, bias: bool = True):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.scaling = self.head_dim**-0.5
        self.dropout = dropout
        self.k_proj = nn.Linear(embed_dim, embed_dim, bias=bias)
        self.v_proj = nn.Linear(embed_dim, embed_dim, bias=bias)
        self.q_proj = nn.Linear(embed_dim, embed_dim, bias=bias)
        self.out_proj = nn.Linear(embed_dim, embed_dim, bias=bias)

    def forward(
        self,
        hidden_states: torch.Tensor,
        past_key_value: Optional[Tuple[torch.Tensor]] = None,
        attention_mask: Optional[torch.Tensor] = None,
        output_attentions: bool = False,
    ):
        """attention_mask: (batch, 1, tgt_len, src_len), additive: 0 where visible, -inf where not."""
        bsz, tgt_len, _ = hidden_states.size()
        q = (self.q_proj(hidden_states) * self.scaling).view(bsz, tgt_len, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(hidden_states).view(bsz, -1, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(hidden_states).view(bsz, -1, self.num_heads, self.head_dim).transpose(1, 2)
        if past_key_value is not None:
            k = torch.cat([past_key_value[0], k], dim=2)
            v = torch.cat([past_key_value[1], v], dim=2)
        past_key_value = (k, v)
        attn_weights = torch.matmul(q, k.transpose(2, 3))
        if attention_mask is not None:
            attn_weights = attn_weights + attention_mask
        attn_weights = nn.functional.softmax(attn_weights, dim=-1)
        probs = nn.functional.dropout(attn_weights, p=self.dropout, training=self.training)
        out = torch.matmul(probs, v).transpose(1, 2).reshape(bsz, tgt_len, -1)
        return self.out_proj(out), attn_weights if output_attentions else None, past_key_value
