import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.in_proj = nn.Linear(d_model, 3 * d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x, padding_mask=None):
        """padding_mask: (B, S) bool, True = real token"""
        q, k, v = (t.unflatten(2, (self.n_heads, -1)).movedim(2, 1) for t in self.in_proj(x).chunk(3, 2))
        logits = q @ k.mT * q.shape[-1] ** -0.5
        if padding_mask is not None:
            logits = logits + (~padding_mask)[:, None, None, :].to(logits.dtype) * -100
        return self.out_proj((logits.softmax(-1) @ v).movedim(1, 2).flatten(2))
