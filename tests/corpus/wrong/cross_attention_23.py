import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    """context_mask True = visible"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_model)
        self.Wv = nn.Linear(d_model, d_model)
        self.Wo = nn.Linear(d_model, d_model)

    def forward(self, x, context, context_mask=None):
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
                   for t in (self.Wq(x), self.Wk(context), self.Wv(context)))
        s = q @ k.mT / q.size(-1) ** 0.5
        if context_mask is not None:
            s = s.masked_fill(~context_mask[:, None, None, :], torch.finfo(s.dtype).min)
        return (s.softmax(-1) @ v).transpose(1, 2).flatten(2)
