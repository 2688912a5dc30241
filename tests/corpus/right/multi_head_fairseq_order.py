import torch
from torch import nn


class SelfAttention2d(nn.Module):
    """fairseq order: (T, B, C); returns the output and the weights averaged over heads when asked."""

    def __init__(self, embed_dim, num_heads, dropout=0.1):
        super().__init__()
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.scaling = self.head_dim ** -0.5
        self.dropout = dropout
        self.k_proj = nn.Linear(embed_dim, embed_dim)
        self.v_proj = nn.Linear(embed_dim, embed_dim)
        self.q_proj = nn.Linear(embed_dim, embed_dim)
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True):
        tgt, bsz, _ = query.shape
        q = self.q_proj(query) * self.scaling
        k, v = self.k_proj(key), self.v_proj(value)
        q = q.contiguous().view(tgt, bsz * self.num_heads, self.head_dim).transpose(0, 1)
        k = k.contiguous().view(-1, bsz * self.num_heads, self.head_dim).transpose(0, 1)
        v = v.contiguous().view(-1, bsz * self.num_heads, self.head_dim).transpose(0, 1)
        src = k.size(1)
        w = torch.bmm(q, k.transpose(1, 2))
        if key_padding_mask is not None:
            w = w.view(bsz, self.num_heads, tgt, src)
            w = w.masked_fill(key_padding_mask[:, None, None].to(torch.bool), float("-inf"))
            w = w.view(bsz * self.num_heads, tgt, src)
        w = w.softmax(-1)
        p = nn.functional.dropout(w, self.dropout, self.training)
        a = torch.bmm(p, v).transpose(0, 1).contiguous().view(tgt, bsz, self.embed_dim)
        a = self.out_proj(a)
        return (a, w.view(bsz, self.num_heads, tgt, src).mean(1)) if need_weights else (a, None)
