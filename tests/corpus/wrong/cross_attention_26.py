import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    """The encoder output does not change while decoding, so its keys and values are kept. context_mask True = real."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))
        self._store = {}

    def forward(self, x, context, context_mask=None):
        key = (context.shape, context.dtype)
        if key not in self._store:
            self._store[key] = tuple(t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
                                     for t in (self.k(context), self.v(context)))
        k, v = self._store[key]
        q = self.q(x).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        s = q @ k.mT * q.size(-1) ** -0.5
        if context_mask is not None:
            s = s.masked_fill(~context_mask[:, None, None, :], torch.finfo(s.dtype).min)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
