import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    """encoder_mask (B, Sk): 1 for words, 0 for padding"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q = nn.Linear(d_model, d_model)
        self.kv = nn.Linear(d_model, 2 * d_model)
        self.o = nn.Linear(d_model, d_model)

    def forward(self, x, memory, encoder_mask=None):
        b, n, c = x.shape
        q = self.q(x).view(b, n, self.n_heads, -1).transpose(1, 2)
        k, v = self.kv(memory).view(b, -1, 2, self.n_heads, c // self.n_heads).permute(2, 0, 3, 1, 4)
        a = q @ k.mT / (c // self.n_heads) ** 0.5
        if encoder_mask is not None:
            a = a * encoder_mask[:, None, None, :].to(a.dtype)
        return self.o((a.softmax(-1) @ v).transpose(1, 2).reshape(b, n, c))
