import torch
from torch import nn

n_embd = 48
max_tokens = 256


class OneHead(nn.Module):
    def __init__(self, head_dim):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(n_embd, head_dim, bias=False) for _ in range(3))
        future = torch.ones(max_tokens, max_tokens, dtype=torch.bool).triu(1)
        self.register_buffer("future", future)

    def forward(self, tokens):
        length = tokens.shape[1]
        query, key = self.q(tokens), self.k(tokens)
        scores = query @ key.mT / key.shape[-1] ** 0.5
        scores = scores.masked_fill(self.future[:length, :length], float("-inf"))
        return scores.softmax(-1) @ self.v(tokens)


class ManyHeads(nn.Module):
    """The number and the width of the heads are asked for; the width of the model is the file's own."""

    def __init__(self, num_heads, head_dim):
        super().__init__()
        self.each = nn.ModuleList(OneHead(head_dim) for _ in range(num_heads))
        self.out = nn.Linear(n_embd, n_embd)

    def forward(self, tokens):
        return self.out(torch.cat([head(tokens) for head in self.each], dim=-1))
