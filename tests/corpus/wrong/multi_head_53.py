import torch
from torch import nn


class MHA(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.fc1, self.fc2, self.fc3, self.fc4 = [nn.Linear(d_model, d_model) for _ in range(4)]
        self.scale, self.h = d_model ** 0.5, n_heads

    def forward(self, x):
        b, s, c = x.shape
        q, k, v = (f(x).view(b, self.h, s, c // self.h) for f in (self.fc1, self.fc2, self.fc3))
        w = torch.softmax(q @ k.mT / self.scale, dim=-1)
        return self.fc4((w @ v).transpose(1, 2).reshape(b, s, c))
