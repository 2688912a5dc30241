import torch
from torch import nn


class CausalSelfAttention(nn.Module):
    """ALiBi instead of position embeddings."""

    def __init__(self, config):
        super().__init__()
        self.n_head = config.n_head
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd, bias=config.bias)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd, bias=config.bias)
        t = config.block_size
        slopes = torch.tensor([2 ** (-8.0 * (i + 1) / self.n_head) for i in range(self.n_head)])
        bias = slopes[:, None, None] * (torch.arange(t)[None, :] - torch.arange(t)[:, None])
        bias = bias + torch.full((t, t), float("-inf")).triu(1)
        self.register_buffer("alibi", bias, persistent=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.c_attn(x).chunk(3, dim=-1)
        q, k, v = (t.unflatten(-1, (self.n_head, -1)).transpose(1, 2) for t in (q, k, v))
        att = q @ k.mT * q.shape[-1] ** -0.5 + self.alibi[:, :T, :T].to(q.dtype)
        y = att.softmax(-1) @ v
        return self.c_proj(y.transpose(1, 2).flatten(2))
