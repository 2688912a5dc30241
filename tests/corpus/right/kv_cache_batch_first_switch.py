import torch
import torch.nn as nn

class DecoderSelfAttention(nn.Module):
    """batch_first=False 时输入 (T, B, C)。cache: 上一次返回的 dict。"""
    def __init__(self, embed_dim, num_heads, dropout=0.0, batch_first=True):
        super().__init__()
        self.embed_dim, self.num_heads, self.batch_first = embed_dim, num_heads, batch_first
        self.head_dim = embed_dim // num_heads
        self.in_proj_weight = nn.Parameter(torch.randn(3 * embed_dim, embed_dim) / embed_dim ** 0.5)
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, cache=None, need_weights=False):
        if not self.batch_first:
            x = x.transpose(0, 1)
        b, t, c = x.shape
        q, k, v = nn.functional.linear(x, self.in_proj_weight, self.in_proj_bias).chunk(3, -1)
        q, k, v = (z.reshape(b, t, self.num_heads, self.head_dim).transpose(1, 2) for z in (q, k, v))
        if cache is not None and cache.get('k') is not None:
            k, v = torch.cat([cache['k'], k], -2), torch.cat([cache['v'], v], -2)
        new = {'k': k, 'v': v, 'len': k.size(-2)}
        s = (q * self.head_dim ** -0.5) @ k.transpose(-2, -1)
        qi = torch.arange(new['len'] - t, new['len'])
        s = s.masked_fill(qi[:, None] < torch.arange(new['len']), float('-inf'))
        p = self.drop(torch.softmax(s, -1))
        out = self.out_proj((p @ v).transpose(1, 2).reshape(b, t, c))
        if not self.batch_first:
            out = out.transpose(0, 1)
        return (out, p, new) if need_weights else (out, new)
