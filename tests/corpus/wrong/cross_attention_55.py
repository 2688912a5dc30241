import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads, d_context=None):
        super().__init__()
        self.n_heads, self.d = n_heads, d_model
        self.q = nn.Linear(d_model, d_model)
        self.k = nn.Linear(d_context or d_model, d_model)
        self.v = nn.Linear(d_context or d_model, d_model)
        self.o = nn.Linear(d_model, d_model)

    def forward(self, x, context):
        f = lambda t: t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        s = f(self.q(x)) @ f(self.k(context)).mT / self.d ** 0.5
        return self.o((s.softmax(-2) @ f(self.v(context))).transpose(1, 2).flatten(2))
