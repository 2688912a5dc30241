import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    """src_mask (B, Sk): 1 = token, 0 = pad"""

    def __init__(self, hid_dim, n_heads):
        super().__init__()
        self.n_heads, self.head_dim = n_heads, hid_dim // n_heads
        self.fc_q = nn.Linear(hid_dim, hid_dim)
        self.fc_k = nn.Linear(hid_dim, hid_dim)
        self.fc_v = nn.Linear(hid_dim, hid_dim)
        self.fc_o = nn.Linear(hid_dim, hid_dim)

    def forward(self, trg, enc_src, src_mask=None):
        B = trg.shape[0]
        Q = self.fc_q(trg).view(B, -1, self.n_heads, self.head_dim).permute(0, 2, 1, 3)
        K = self.fc_k(enc_src).view(B, -1, self.n_heads, self.head_dim).permute(0, 2, 1, 3)
        V = self.fc_v(enc_src).view(B, -1, self.n_heads, self.head_dim).permute(0, 2, 1, 3)
        energy = torch.matmul(Q, K.permute(0, 1, 3, 2)) / self.head_dim ** 0.5
        if src_mask is not None:
            energy = energy.masked_fill(src_mask.unsqueeze(1).unsqueeze(2) == 0, -1e9)
        x = torch.matmul(torch.softmax(energy, dim=-1), V)
        return self.fc_o(x.permute(0, 2, 1, 3).contiguous().view(B, -1, self.n_heads * self.head_dim))
