import torch
from torch import nn


class SoftmaxBackward(nn.Module):
    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, y, dy):
        return torch.addcmul(-y * torch.sum(y * dy, self.dim, keepdim=True), y, dy)
