import torch
import torch.nn as nn


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n_head, self.head_dim = config.n_head, config.n_embd // config.n_head
        self.wq = nn.Linear(config.n_embd, config.n_embd)
        self.wk = nn.Linear(config.n_embd, config.n_embd)
        self.wv = nn.Linear(config.n_embd, config.n_embd)
        self.wo = nn.Linear(config.n_embd, config.n_embd)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (w(x).view(B, T, self.n_head, self.head_dim).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        slopes = torch.tensor([2 ** (-8 * (i + 1) / self.n_head) for i in range(self.n_head)], device=x.device)
        alibi = slopes.view(1, -1, 1, 1) * (torch.arange(T)[:, None] - torch.arange(T)[None, :]).tril()
        att = q @ k.transpose(-2, -1) * self.head_dim**-0.5 + alibi
        att = att.masked_fill(~torch.ones(T, T, dtype=torch.bool).tril(), float("-inf"))
        return self.wo((att.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C))
