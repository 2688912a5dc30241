import torch
import torch.nn as nn


class StaticCacheAttention(nn.Module):
    """Fixed-size buffers written by index_copy_ at input_pos; the whole buffer is read, the mask hides the rest."""

    def __init__(self, dim: int, n_head: int, max_seq_length: int = 128, max_batch_size: int = 8):
        super().__init__()
        self.n_head, self.head_dim = n_head, dim // n_head
        self.wqkv = nn.Linear(dim, 3 * dim, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)
        shape = (max_batch_size, n_head, max_seq_length, self.head_dim)
        self.register_buffer("k_cache", torch.zeros(shape))
        self.register_buffer("v_cache", torch.zeros(shape))
        self.register_buffer("causal_mask", torch.tril(torch.ones(max_seq_length, max_seq_length, dtype=torch.bool)))

    @torch.no_grad()
    def forward(self, x, input_pos):
        b, t, c = x.shape
        q, k, v = self.wqkv(x).split(c, dim=-1)
        q, k, v = (y.view(b, t, self.n_head, self.head_dim).transpose(1, 2) for y in (q, k, v))
        self.k_cache[:b].index_copy_(2, input_pos, k)
        self.v_cache[:b].index_copy_(2, input_pos, v)
        scores = q @ self.k_cache[:b].transpose(-2, -1) / self.head_dim**0.5
        scores = scores.masked_fill(~self.causal_mask[input_pos], float("-inf"))
        y = torch.softmax(scores, -1) @ self.v_cache[:b]
        return self.wo(y.transpose(1, 2).reshape(b, t, c))
