import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    """context_mask: (B, Sk) True = keep"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, context, context_mask=None):
        B, Sq, C = x.shape
        q, k, v = (t.view(B, -1, self.n_heads, C // self.n_heads).transpose(1, 2)
                   for t in (self.q(x), self.k(context), self.v(context)))
        s = q @ k.mT / (C // self.n_heads) ** 0.5
        if context_mask is not None:
            s = torch.where(context_mask[:, None, None, :], s, torch.finfo(s.dtype).min)
        o = s.softmax(-1) @ v
        return self.o(o.reshape(B, Sq, C))
