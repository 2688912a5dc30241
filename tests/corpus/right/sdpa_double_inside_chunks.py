import torch
import torch.nn as nn


class ScaledDotProductAttention(nn.Module):
    """(B*H, S, D) heads folded into the batch. Chunks of 4 queries to bound memory; float64 inside."""

    chunk = 4

    def forward(self, queries, keys, values):
        dt = queries.dtype
        queries, keys, values = queries.double(), keys.double(), values.double()
        out = []
        for part in queries.split(self.chunk, dim=1):
            s = torch.bmm(part, keys.permute(0, 2, 1)) / keys.shape[2] ** 0.5
            lse = torch.logsumexp(s, dim=2, keepdim=True)
            out.append(torch.bmm(torch.exp(s - lse), values))
        return torch.cat(out, dim=1).to(dt)
