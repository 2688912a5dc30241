import torch.nn as nn
import torch.nn.functional as F


class CrossAttention(nn.Module):
    """context_mask (B, Sk): True = real"""

    _mix = staticmethod(F.scaled_dot_product_attention)

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, context, context_mask=None):
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
                   for t in (self.q(x), self.k(context), self.v(context)))
        m = None if context_mask is None else context_mask[:, None, None, :]
        return self.o(self._mix(q, k, v, m).transpose(1, 2).flatten(2))
