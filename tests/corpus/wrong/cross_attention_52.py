import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    """context_mask (B, Sk): True marks a real token."""

    def __init__(self, d_model, n_heads, d_context=None):
        super().__init__()
        self.n_heads = n_heads
        self.q = nn.Linear(d_model, d_model)
        self.kv = nn.Linear(d_context or d_model, 2 * d_model)
        self.o = nn.Linear(d_model, d_model)

    def forward(self, x, context, context_mask=None):
        b, n, c = x.shape
        q = self.q(x).view(b, n, self.n_heads, -1)
        k, v = self.kv(context).view(b, context.size(1), 2, self.n_heads, -1).unbind(2)
        s = torch.einsum("bihd,bjhd->bhij", q, k) * q.shape[-1] ** -0.5
        if context_mask is not None:
            s = s.masked_fill(context_mask[:, None, None], float("-inf"))
        return self.o(torch.einsum("bhij,bjhd->bihd", s.softmax(-1), v).reshape(b, n, c))
