import torch
import torch.nn as nn


class Attention(nn.Module):
    def __init__(self, n_embd=768, n_head=12):
        super().__init__()
        self.n_head = n_head
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (t.reshape(B, T, self.n_head, -1).transpose(1, 2) for t in self.c_attn(x).split(C, dim=-1))
        w = q @ k.transpose(-2, -1) / 8        # sqrt(64)
        return self.c_proj((torch.softmax(w, -1) @ v).transpose(1, 2).reshape(B, T, C))
