import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    """memory_mask 1 = real token, 0 = pad"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, memory, memory_mask=None):
        f = lambda t: t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        q, k, v = f(self.q(x)), f(self.k(memory)), f(self.v(memory))
        s = q @ k.mT * q.shape[-1] ** -0.5
        if memory_mask is not None:
            s = s + (1 - memory_mask[:, None, None].float()) * -1e4
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
