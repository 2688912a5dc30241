import torch
from torch import nn


class GQA(nn.Module):
    def __init__(self, embed_dim=512, query_heads=8, kv_heads=2, dropout=0.1):
        super().__init__()
        self.query_heads, self.kv_heads = query_heads, kv_heads
        head_dim = embed_dim // query_heads
        self.q_proj = nn.Linear(embed_dim, embed_dim)
        self.k_proj = nn.Linear(embed_dim, kv_heads * head_dim)
        self.v_proj = nn.Linear(embed_dim, kv_heads * head_dim)
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        """mask: bool (B, 1, Sq, Sk), True means masked out"""
        q = self.q_proj(query).unflatten(-1, (self.kv_heads, -1, query.size(-1) // self.query_heads))
        k = self.k_proj(key).unflatten(-1, (self.kv_heads, -1))
        v = self.v_proj(value).unflatten(-1, (self.kv_heads, -1))
        s = torch.einsum("bigrd,bjgd->bgrij", q, k) / q.size(-1) ** 0.5
        if mask is not None:
            s = s.masked_fill(mask[:, :, None], -torch.inf)
        p = self.dropout(s.softmax(-1))
        return self.out_proj(torch.einsum("bgrij,bjgd->bigrd", p, v).flatten(2))
