import torch
import torch.nn as nn

class CrossAttn(nn.Module):
    """tgt attends to memory; memory_key_padding_mask: (B, Sk) bool, True = padding."""
    def __init__(self, d_model: int, nhead: int):
        super().__init__()
        self.nhead = nhead
        self.q = nn.Linear(d_model, d_model)
        self.kv = nn.Linear(d_model, 2 * d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, tgt, memory, memory_key_padding_mask=None):
        B, T, C = tgt.shape
        S = memory.shape[1]
        q = self.q(tgt).reshape(B, T, self.nhead, -1).permute(0, 2, 1, 3)
        k, v = self.kv(memory).reshape(B, S, 2, self.nhead, -1).permute(2, 0, 3, 1, 4)
        att = torch.einsum("bhtd,bhsd->bhts", q, k) / (C // self.nhead) ** 0.5
        if memory_key_padding_mask is not None:
            att = att.masked_fill(memory_key_padding_mask[:, None, None], float("-inf"))
        o = torch.einsum("bhts,bhsd->bthd", att.softmax(-1), v)
        return self.out(o.flatten(2))
