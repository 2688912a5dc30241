import torch
from torch import nn


class Softmax(nn.Module):
    """Softmax(dim)(x): probabilities along ``dim``."""

    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        top = x.amax(dim=self.dim, keepdim=True)
        e = (x - top).exp()
        return e / e.sum(dim=-1, keepdim=True)
