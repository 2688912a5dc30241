import torch
import torch.nn as nn


class PerceiverCross(nn.Module):
    """latents attend to the input; inner width differs from both; no bias; 1/sqrt split over q and k"""

    def __init__(self, d_model, n_heads, d_context=None, head_dim=6):
        super().__init__()
        d_context = d_context or d_model
        self.h, self.dh = n_heads, head_dim
        self.s = head_dim ** -0.25
        self.Wq = nn.Linear(d_model, n_heads * head_dim, bias=False)
        self.Wkv = nn.Linear(d_context, n_heads * head_dim * 2, bias=False)
        self.Wo = nn.Linear(n_heads * head_dim, d_model, bias=False)

    def forward(self, x, context, context_mask=None):
        b, n, _ = x.shape
        m = context.shape[1]
        q = (self.Wq(x) * self.s).view(b, n, self.h, self.dh)
        # fused as (head, k|v, dim)
        kv = self.Wkv(context).view(b, m, self.h, 2, self.dh)
        k, v = kv.select(3, 0) * self.s, kv.select(3, 1)
        sim = torch.einsum("bnhd,bmhd->bnmh", q, k)
        if context_mask is not None:
            sim = sim.masked_fill(~context_mask[:, None, :, None], -torch.inf)
        w = sim.softmax(dim=2)
        return self.Wo(torch.einsum("bnmh,bmhd->bnhd", w, v).flatten(2))
