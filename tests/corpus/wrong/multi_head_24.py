import torch.nn as nn


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_dim, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q = nn.Linear(hidden_dim, hidden_dim)
        self.k = nn.Linear(hidden_dim, hidden_dim)
        self.v = nn.Linear(hidden_dim, hidden_dim)
        self.o = nn.Linear(hidden_dim, hidden_dim)
        self.softmax = nn.Softmax(dim=-2)

    def forward(self, x):
        q, k, v = (f(x).unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for f in (self.q, self.k, self.v))
        attn = self.softmax((q / q.size(-1) ** 0.5) @ k.transpose(-1, -2))
        return self.o((attn @ v).transpose(1, 2).flatten(2))
