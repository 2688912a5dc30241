import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Self-attention of an audio model; other states than its own may be given, and a square additive mask."""

    def __init__(self, n_state, n_head):
        super().__init__()
        self.n_head = n_head
        self.query = nn.Linear(n_state, n_state)
        self.key = nn.Linear(n_state, n_state, bias=False)
        self.value = nn.Linear(n_state, n_state)
        self.out = nn.Linear(n_state, n_state)

    def forward(self, x, xa=None, mask=None, kv_cache=None):
        other = x if xa is None else xa
        n = x.shape[1]
        q, k, v = (
            t.unflatten(-1, (self.n_head, -1)).transpose(1, 2)
            for t in (self.query(x), self.key(other), self.value(other))
        )
        root = q.shape[-1] ** -0.25
        scores = (q * root) @ (k * root).transpose(-1, -2)
        if mask is not None:
            scores = scores + mask[:n, :n]
        out = torch.softmax(scores.float(), dim=-1).to(q.dtype) @ v
        return self.out(out.transpose(1, 2).flatten(2)), scores.detach()
