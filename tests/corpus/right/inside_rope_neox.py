import torch
from torch import nn


class NeoXAttention(nn.Module):
    """GPT-NeoX style: fused query_key_value per head, rotary over the whole head."""

    def __init__(self, hidden_size: int, num_attention_heads: int, rotary_emb_base: float = 10000.0):
        super().__init__()
        self.n, self.d = num_attention_heads, hidden_size // num_attention_heads
        self.base = rotary_emb_base
        self.query_key_value = nn.Linear(hidden_size, 3 * hidden_size)
        self.dense = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        b, s, _ = x.shape
        q, k, v = self.query_key_value(x).view(b, s, self.n, 3 * self.d).permute(0, 2, 1, 3).chunk(3, -1)
        half = self.d // 2
        freq = torch.exp(-torch.arange(half) / half * torch.log(torch.tensor(self.base)))
        theta = torch.arange(s)[:, None] * freq
        cos, sin = theta.cos().repeat(1, 2).to(x.dtype), theta.sin().repeat(1, 2).to(x.dtype)

        def rot(t):
            return t * cos + torch.cat([-t[..., half:], t[..., :half]], -1) * sin

        w = torch.softmax(rot(q) @ rot(k).mT * self.d**-0.5, -1)
        return self.dense((w @ v).transpose(1, 2).flatten(2))
