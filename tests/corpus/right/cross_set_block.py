"""The block of the Set Transformer: queries are added to what the heads bring, a layer with a ReLU to that."""

import torch
from torch import nn


class SetBlock(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.fc_q, self.fc_k, self.fc_v, self.fc_o = (nn.Linear(dim, dim) for _ in range(4))

    def forward(self, q, k):
        q, k, v = self.fc_q(q), self.fc_k(k), self.fc_v(k)
        queries, keys, values = (torch.cat(t.chunk(self.num_heads, dim=2), dim=0) for t in (q, k, v))
        weights = torch.softmax(queries @ keys.mT / queries.shape[2] ** 0.5, dim=2)
        out = torch.cat((queries + weights @ values).chunk(self.num_heads, dim=0), dim=2)
        return out + torch.relu(self.fc_o(out))
