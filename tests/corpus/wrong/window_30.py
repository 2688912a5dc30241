import torch
from torch import nn


class SWA(nn.Module):
    def __init__(self, d_model, n_heads, window):
        super().__init__()
        self.h, self.window, self.d_model = n_heads, window, d_model
        self.in_proj = nn.Linear(d_model, 3 * d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (y.view(b, t, self.h, -1).transpose(1, 2) for y in self.in_proj(x).chunk(3, -1))
        s = q @ k.mT / self.d_model**0.5
        i, j = torch.arange(t)[:, None], torch.arange(t)
        s = s.masked_fill((j > i) | (i - j > self.window), -torch.inf)
        return self.out_proj((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
