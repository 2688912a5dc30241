import torch
import torch.nn as nn
import torch.nn.functional as F


class Head(nn.Module):
    def __init__(self, n_embd, head_size):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)

    def forward(self, x):
        k, q, v = self.key(x), self.query(x), self.value(x)
        wei = F.softmax(q @ k.mT * k.size(-1) ** -0.5, dim=-1)
        return wei @ v


class MultiHead(nn.Module):
    """独立的 head 放进 ModuleList，最后拼接再做输出投影"""

    def __init__(self, n_embd, num_heads, dropout=0.2):
        super().__init__()
        self.heads = nn.ModuleList(Head(n_embd, n_embd // num_heads) for _ in range(num_heads))
        self.proj = nn.Linear(n_embd, n_embd)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.proj(torch.cat([h(x) for h in self.heads], dim=-1)))
