import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads, d_context=None):
        super().__init__()
        self.n_heads = n_heads
        self.q = nn.Linear(d_model, d_model, bias=False)
        self.kv = nn.Linear(d_context or d_model, 2 * d_model, bias=False)
        self.o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, context):
        q = self.q(x)
        k, v = self.kv(context).chunk(2, -1)
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for t in (q, k, v))
        y = (q * q.size(-1) ** -0.5 @ k.mT).softmax(-1) @ v
        x = x + self.o(y.transpose(1, 2).flatten(2))
        return x
