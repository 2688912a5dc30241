import torch
from torch import nn


class CrossAttention(nn.Module):
    """context_lens (B,): number of real context tokens of each example; the rest is padding at the end."""

    def __init__(self, d_model, n_heads, d_context=None):
        super().__init__()
        self.n_heads = n_heads
        self.Wq = nn.Linear(d_model, d_model, bias=False)
        self.Wkv = nn.Linear(d_context or d_model, 2 * d_model, bias=False)
        self.Wo = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, context, context_lens=None):
        B, S, C = x.shape
        N = context.shape[1]
        q = self.Wq(x).view(B, S, self.n_heads, -1).transpose(1, 2)
        # kv 的布局: (B, N, 2, H, D)，先 k 后 v
        k, v = self.Wkv(context).view(B, N, 2, self.n_heads, -1).permute(2, 0, 3, 1, 4)
        att = (q @ k.transpose(2, 3)) * q.size(-1) ** -0.5
        if context_lens is not None:
            pad = torch.arange(N, device=x.device)[None] >= context_lens[:, None]
            att = att.masked_fill(pad[:, None, None], float("-inf"))
        return self.Wo((att.softmax(-1) @ v).transpose(1, 2).reshape(B, S, C))
