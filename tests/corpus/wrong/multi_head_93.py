import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """out = concat(heads) W_O"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, mask=None):
        f = lambda t: t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        q, k, v = f(self.w_q(x)), f(self.w_k(x)), f(self.w_v(x))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(~mask, -torch.inf)
        return (s.softmax(-1) @ v).transpose(1, 2).flatten(2)
