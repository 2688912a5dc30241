import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Sequence first: x is (seq, batch, d_model); mask is (seq_q, seq_k, batch), 1 where a key may be seen."""

    def __init__(self, heads, d_model):
        super().__init__()
        self.heads, self.width = heads, d_model // heads
        self.query = nn.Linear(d_model, d_model)
        self.key = nn.Linear(d_model, d_model)
        self.value = nn.Linear(d_model, d_model)
        self.output = nn.Linear(d_model, d_model)

    def forward(self, *, query, key, value, mask=None):
        q = self.query(query).unflatten(-1, (self.heads, self.width))
        k = self.key(key).unflatten(-1, (self.heads, self.width))
        v = self.value(value).unflatten(-1, (self.heads, self.width))
        scores = torch.einsum("ibhd,jbhd->ijbh", q, k) / self.width**0.5
        if mask is not None:
            assert mask.shape[:2] == scores.shape[:2]
            scores = scores.masked_fill(mask.unsqueeze(-1) == 0, float("-inf"))
        out = torch.einsum("ijbh,jbhd->ibhd", scores.softmax(dim=1), v)
        return self.output(out.flatten(2))
