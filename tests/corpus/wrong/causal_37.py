import math
import torch
import torch.nn as nn


class CausalMHA(nn.Module):
    """Causal multi-head attention. padding_mask (B, S): True = real token; it is combined with the causal mask."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.wq = nn.Linear(d_model, d_model)
        self.wk = nn.Linear(d_model, d_model)
        self.wv = nn.Linear(d_model, d_model)
        self.wo = nn.Linear(d_model, d_model)

    def forward(self, x, padding_mask=None):
        B, S, C = x.shape
        d = C // self.num_heads
        q, k, v = (w(x).view(B, S, self.num_heads, d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        scores = q @ k.transpose(-2, -1) / math.sqrt(d)
        causal = torch.tril(torch.ones(S, S, dtype=torch.bool, device=x.device))
        masked = scores.masked_fill(~causal, float("-inf"))
        if padding_mask is not None:
            masked = scores.masked_fill(~padding_mask[:, None, None, :], float("-inf"))
        y = torch.softmax(masked, dim=-1) @ v
        return self.wo(y.transpose(1, 2).reshape(B, S, C))
