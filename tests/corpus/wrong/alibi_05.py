import torch
from torch import nn


class ALiBiSelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)
        slopes = torch.tensor([2 ** (-(i + 1) / n_heads) for i in range(n_heads)])
        self.register_buffer("slopes", slopes)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.h, self.d).permute(2, 0, 3, 1, 4)
        pos = torch.arange(t, device=x.device)
        rel = pos[None, :] - pos[:, None]
        a = q @ k.mT / self.d**0.5 + self.slopes[:, None, None] * rel
        a = a.masked_fill(rel > 0, float("-inf")).softmax(-1)
        return self.out((a @ v).transpose(1, 2).reshape(b, t, c))
