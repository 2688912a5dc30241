import torch
from torch import nn
import torch.nn.functional as F
class MultiHeadLinearAttention(nn.Module):
    """Linear attention; forward(query, key, value)."""
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))
    def heads(self, t):
        return t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
    def forward(self, query, key, value):
        q, k, v = self.heads(self.w_q(query)), self.heads(self.w_k(key)), self.heads(self.w_v(value))
        q, k = F.elu(q) + 1, F.elu(k) + 1
        o = torch.einsum("bhqd,bhkd,bhke->bhqe", q, k, v) / torch.einsum("bhqd,bhkd->bhq", q, k)[..., None]
        return self.w_o(o.transpose(1, 2).flatten(2))
