import torch
from torch import nn


class GroupedCrossAttention(nn.Module):
    """Cross-attention with one key/value head for all query heads."""

    def __init__(self, d_model, n_heads, d_context):
        super().__init__()
        self.n_heads, self.d = n_heads, d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_context, self.d)
        self.v_proj = nn.Linear(d_context, self.d)
        self.o_proj = nn.Linear(d_model, d_model)

    def forward(self, x, context, context_mask=None):
        """context_mask is additive: 0 keeps, -inf hides; (B, Sk)"""
        q = self.q_proj(x).unflatten(-1, (self.n_heads, self.d))
        k, v = self.k_proj(context), self.v_proj(context)
        s = torch.einsum("bihd,bjd->bhij", q, k) * self.d**-0.5
        if context_mask is not None:
            s = s + context_mask[:, None, None, :]
        return self.o_proj(torch.einsum("bhij,bjd->bihd", s.softmax(-1), v).flatten(2))
