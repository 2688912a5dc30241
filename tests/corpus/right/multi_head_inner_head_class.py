import torch
import torch.nn as nn


class MHA(nn.Module):
    """d_model first, then heads. 每个头一个小的 nn.Module。"""

    class Head(nn.Module):
        def __init__(self, d_in, d_head):
            super().__init__()
            self.q = nn.Linear(d_in, d_head, bias=False)
            self.k = nn.Linear(d_in, d_head, bias=False)
            self.v = nn.Linear(d_in, d_head, bias=False)

        def forward(self, x, mask):
            a = self.q(x) @ self.k(x).transpose(1, 2)
            a = a * self.q.out_features ** -0.5
            if mask is not None:
                a = a.masked_fill(mask == 0, float("-inf"))
            return a.softmax(-1) @ self.v(x)

    def __init__(self, d_model=32, n_heads=4):
        super().__init__()
        self.heads = nn.ModuleList(self.Head(d_model, d_model // n_heads) for _ in range(n_heads))
        self.mix = nn.Linear(d_model, d_model)

    def forward(self, x, mask=None):
        """mask: (B, S, S) or (S, S), 0 = hidden"""
        return self.mix(torch.cat([h(x, mask) for h in self.heads], dim=-1))
