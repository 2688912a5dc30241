import torch
import torch.nn as nn

CFG = {"emb_dim": 32, "n_heads": 4, "drop_rate": 0.0, "qkv_bias": True}


class MultiHeadAttention(nn.Module):
    """cfg is a plain dict with emb_dim, n_heads, drop_rate and qkv_bias."""

    def __init__(self, cfg=CFG):
        super().__init__()
        emb, heads = cfg["emb_dim"], cfg["n_heads"]
        self.num_heads, self.head_dim = heads, emb // heads
        self.W_query = nn.Linear(emb, emb, bias=cfg["qkv_bias"])
        self.W_key = nn.Linear(emb, emb, bias=cfg["qkv_bias"])
        self.W_value = nn.Linear(emb, emb, bias=cfg["qkv_bias"])
        self.out_proj = nn.Linear(emb, emb)
        self.dropout = nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        b, n, _ = x.shape
        q = self.W_query(x).view(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).view(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).view(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        weights = self.dropout(torch.softmax(q @ k.transpose(2, 3) / self.head_dim**0.5, dim=-1))
        return self.out_proj((weights @ v).transpose(1, 2).contiguous().view(b, n, -1))
