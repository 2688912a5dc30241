"""Every pixel of a feature map looks at all others; groups of channels are normalised first, the map is added last."""

import torch
from torch import nn


def normalise(channels):
    return nn.GroupNorm(32, channels, eps=1e-6)


class PixelAttention(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = normalise(channels)
        self.q = nn.Conv2d(channels, channels, 1)
        self.k = nn.Conv2d(channels, channels, 1)
        self.v = nn.Conv2d(channels, channels, 1)
        self.proj_out = nn.Conv2d(channels, channels, 1)

    def forward(self, x):
        y = self.norm(x)
        q, k, v = (layer(y).flatten(2) for layer in (self.q, self.k, self.v))
        weights = torch.softmax(torch.einsum("bci,bcj->bij", q, k) / q.shape[1], dim=-1)
        return x + self.proj_out(torch.einsum("bij,bcj->bci", weights, v).reshape(x.shape))
