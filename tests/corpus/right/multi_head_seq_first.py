import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiheadAttention(nn.Module):
    """Time first: (L, N, E). Parameters named as in torch.nn, computed by hand.

    key_padding_mask (N, S): True = ignore. attn_mask (L, S): float, added.
    """

    def __init__(self, embed_dim, num_heads, dropout=0.0):
        super().__init__()
        self.embed_dim, self.num_heads, self.p = embed_dim, num_heads, dropout
        self.in_proj_weight = nn.Parameter(torch.empty(3 * embed_dim, embed_dim))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        nn.init.xavier_uniform_(self.in_proj_weight)

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None):
        L, N, E = query.shape
        S, H, d = key.shape[0], self.num_heads, E // self.num_heads
        (wq, wk, wv), (bq, bk, bv) = self.in_proj_weight.chunk(3), self.in_proj_bias.chunk(3)
        q = F.linear(query, wq, bq).reshape(L, N * H, d).transpose(0, 1) * d ** -0.5
        k = F.linear(key, wk, bk).reshape(S, N * H, d).transpose(0, 1)
        v = F.linear(value, wv, bv).reshape(S, N * H, d).transpose(0, 1)
        score = torch.bmm(q, k.transpose(1, 2))
        if attn_mask is not None:
            score = score + attn_mask
        if key_padding_mask is not None:
            score = score.view(N, H, L, S).masked_fill(key_padding_mask[:, None, None], float("-inf")).view(N * H, L, S)
        prob = F.dropout(F.softmax(score, dim=-1), self.p, self.training)
        out = torch.bmm(prob, v).transpose(0, 1).reshape(L, N, E)
        out = self.out_proj(out)
        if need_weights:
            return out, prob.view(N, H, L, S).mean(1)  # averaged over heads
        return out, None
