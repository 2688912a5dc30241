import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model=64, n_head=4):
        super().__init__()
        self.n_head = n_head
        self.fc_q = nn.Linear(d_model, d_model)
        self.fc_k = nn.Linear(d_model, d_model)
        self.fc_v = nn.Linear(d_model, d_model)
        self.fc_o = nn.Linear(d_model, d_model)

    def forward(self, x, past=[]):
        """x: (batch, new tokens, d_model). past: list of (k, v), one pair a call, or None."""
        n, t, dm = x.shape
        d = dm // self.n_head
        q = self.fc_q(x).view(n, t, self.n_head, d)
        past.append((self.fc_k(x).view(n, t, self.n_head, d), self.fc_v(x).view(n, t, self.n_head, d)))
        k = torch.cat([p[0] for p in past], dim=1)
        v = torch.cat([p[1] for p in past], dim=1)
        energy = torch.einsum("nqhd,nkhd->nhqk", [q, k]) / d**0.5
        total = k.shape[1]
        block = torch.ones(total, total).tril()[total - t :]
        energy = energy.masked_fill(block == 0, float("-inf"))
        out = torch.einsum("nhqk,nkhd->nqhd", [torch.softmax(energy, dim=3), v]).reshape(n, t, dm)
        return self.fc_o(out), past
