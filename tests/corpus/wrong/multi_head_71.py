import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, embed_size, heads):
        super().__init__()
        self.heads = heads
        self.head_dim = embed_size // heads
        self.values = nn.Linear(self.head_dim, self.head_dim, bias=False)
        self.keys = nn.Linear(self.head_dim, self.head_dim, bias=False)
        self.queries = nn.Linear(self.head_dim, self.head_dim, bias=False)
        self.fc_out = nn.Linear(embed_size, embed_size)

    def forward(self, values, keys, query, mask=None):
        values, keys, query = (t.unflatten(-1, (self.heads, self.head_dim)) for t in (values, keys, query))
        energy = torch.einsum("bqhd,bkhd->bhqk", self.queries(query), self.keys(keys)) / self.head_dim**0.5
        if mask is not None:
            energy = energy.masked_fill(mask == 0, float("-inf"))
        out = torch.einsum("bhqk,bkhd->bqhd", energy.softmax(dim=-1), self.values(values))
        return self.fc_out(out.flatten(2))
