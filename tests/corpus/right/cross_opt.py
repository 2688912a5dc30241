import torch
from torch import nn
class Attention(nn.Module):
    """Self attention without a context, cross attention with one. mask (B, M): True = keep."""
    def __init__(self, query_dim, context_dim=None, heads=8, dim_head=64, dropout=0.):
        super().__init__()
        inner = heads * dim_head
        context_dim = context_dim or query_dim
        self.h, self.scale = heads, dim_head ** -0.5
        self.to_q = nn.Linear(query_dim, inner, bias=False)
        self.to_k = nn.Linear(context_dim, inner, bias=False); self.to_v = nn.Linear(context_dim, inner, bias=False)
        self.to_out = nn.Sequential(nn.Linear(inner, query_dim), nn.Dropout(dropout))
    def forward(self, x, context=None, mask=None):
        context = x if context is None else context
        q, k, v = self.to_q(x), self.to_k(context), self.to_v(context)
        b = x.shape[0]
        q, k, v = (t.view(b, t.shape[1], self.h, -1).transpose(1, 2).reshape(b * self.h, t.shape[1], -1) for t in (q, k, v))
        sim = torch.einsum("bid,bjd->bij", q, k) * self.scale
        if mask is not None:
            mask = mask.reshape(b, -1)[:, None, :].repeat_interleave(self.h, 0)
            sim = sim.masked_fill(~mask, -torch.finfo(sim.dtype).max)
        out = torch.einsum("bij,bjd->bid", sim.softmax(-1), v)
        return self.to_out(out.view(b, self.h, -1, out.shape[-1]).transpose(1, 2).flatten(2))
