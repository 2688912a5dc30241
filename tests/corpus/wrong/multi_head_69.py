import torch
from torch import nn


class MHA(nn.Module):
    """pad_mask (B, S): True marks padding"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.proj = nn.Linear(d_model, d_model)

    def forward(self, x, pad_mask=None):
        B, S, C = x.shape
        q, k, v = self.qkv(x).reshape(B, S, 3, self.n_heads, C // self.n_heads).permute(2, 0, 3, 1, 4)
        s = q @ k.mT / (C // self.n_heads)
        if pad_mask is not None:
            s = s.masked_fill(pad_mask[:, None, None, :], torch.finfo(s.dtype).min)
        return self.proj((s.softmax(-1) @ v).reshape(B, S, C))
