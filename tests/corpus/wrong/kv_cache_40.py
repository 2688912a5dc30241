import torch
from torch import nn


class IncrementalSelfAttention(nn.Module):
    """fairseq-like: x is (T, B, C); incremental_state holds prev_key and prev_value, (B * H, S, D)."""

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.scaling = self.head_dim**-0.5
        self.q_proj = nn.Linear(embed_dim, embed_dim)
        self.k_proj = nn.Linear(embed_dim, embed_dim)
        self.v_proj = nn.Linear(embed_dim, embed_dim)
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, incremental_state=None):
        tgt_len, bsz, embed_dim = x.size()
        q = self.q_proj(x) * self.scaling
        k, v = self.k_proj(x), self.v_proj(x)
        shape = (tgt_len, bsz * self.num_heads, self.head_dim)
        q, k, v = (t.contiguous().view(shape).transpose(0, 1) for t in (q, k, v))
        if incremental_state is None:
            incremental_state = {}
        if "prev_key" in incremental_state:
            k = torch.cat([incremental_state["prev_key"], k], dim=1)
            v = torch.cat([incremental_state["prev_value"], v], dim=1)
        incremental_state["prev_key"], incremental_state["prev_value"] = k, v
        src_len = k.size(1)
        w = torch.bmm(q, k.transpose(1, 2))
        mask = torch.triu(torch.full((tgt_len, src_len), float("-inf")), 1).to(w)
        w = torch.softmax(w + mask, dim=-1)
        attn = torch.bmm(w, v).transpose(0, 1).contiguous().view(tgt_len, bsz, embed_dim)
        return self.out_proj(attn), incremental_state
