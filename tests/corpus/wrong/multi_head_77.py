import torch
from torch import nn
class MultiHead(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.nh = num_heads
        self.wq = nn.Linear(d_model, d_model); self.wk = nn.Linear(d_model, d_model)
        self.wv = nn.Linear(d_model, d_model); self.out_proj = nn.Linear(d_model, d_model)
    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (w(x).view(B, T, self.nh, -1).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        w = torch.softmax(q @ k.transpose(-1, -2) / (C // self.nh) ** 0.5, -1)
        return (w @ v).transpose(1, 2).reshape(B, T, C)
