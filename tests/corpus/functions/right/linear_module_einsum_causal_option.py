import torch
from torch import nn
import torch.nn.functional as F
class LinearAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int, dropout: float = 0.1, eps: float = 1e-6):
        super().__init__()
        assert d_model % n_heads == 0
        self.n_heads, self.eps = n_heads, eps
        self.query_projection = nn.Linear(d_model, d_model)
        self.key_projection = nn.Linear(d_model, d_model)
        self.value_projection = nn.Linear(d_model, d_model)
        self.out_projection = nn.Linear(d_model, d_model)
        self.drop = nn.Dropout(dropout)
        self.feature_map = lambda t: F.elu(t) + 1
    def forward(self, x, causal: bool = False):
        N, L, _ = x.shape
        Q = self.query_projection(x).view(N, L, self.n_heads, -1)
        K = self.key_projection(x).view(N, L, self.n_heads, -1)
        V = self.value_projection(x).view(N, L, self.n_heads, -1)
        Q, K = self.feature_map(Q), self.feature_map(K)
        if causal:
            KV = torch.einsum("nlhd,nlhm->nlhdm", K, V).cumsum(1)
            Z = 1 / (torch.einsum("nlhd,nlhd->nlh", Q, K.cumsum(1)) + self.eps)
            O = torch.einsum("nlhd,nlhdm,nlh->nlhm", Q, KV, Z)
        else:
            KV = torch.einsum("nshd,nshm->nhmd", K, V)
            Z = 1 / (torch.einsum("nlhd,nhd->nlh", Q, K.sum(dim=1)) + self.eps)
            O = torch.einsum("nlhd,nhmd,nlh->nlhm", Q, KV, Z)
        return self.drop(self.out_projection(O.contiguous().view(N, L, -1)))
