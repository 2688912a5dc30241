import torch
from torch import nn

n_embd = 48
max_tokens = 256


class OneHead(nn.Module):
    """One causal head of several."""

    def __init__(self, head_dim):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(n_embd, head_dim, bias=False) for _ in range(3))
        self.register_buffer("future", torch.ones(max_tokens, max_tokens, dtype=torch.bool).triu(1))

    def forward(self, tokens):
        length, channels = tokens.shape[1:]
        scores = self.q(tokens) @ self.k(tokens).mT / channels**0.5
        scores = scores.masked_fill(self.future[:length, :length], float("-inf"))
        return scores.softmax(-1) @ self.v(tokens)
