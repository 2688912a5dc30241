import torch, math
from torch import nn
class Attention(nn.Module):
    """decode(x_t): 每次一个 token，x_t 形状 (B, 1, C)；prefill(x) 处理整个 prompt。"""
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.dk = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
    def split(self, x):
        return x.view(x.size(0), -1, self.n_heads, self.dk).transpose(1, 2)
    def prefill(self, x):
        q, k, v = self.split(self.wq(x)), self.split(self.wk(x)), self.split(self.wv(x))
        s = q @ k.transpose(-1, -2) / math.sqrt(self.dk)
        T = x.size(1)
        s = s.masked_fill(torch.triu(torch.ones(T, T), 1).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(x.shape)
        return self.wo(o), (k, v)
    def decode(self, x_t, cache):
        assert x_t.size(1) == 1, "one token at a time"
        k = torch.cat([cache[0], self.split(self.wk(x_t))], 2)
        v = torch.cat([cache[1], self.split(self.wv(x_t))], 2)
        s = self.split(self.wq(x_t)) @ k.transpose(-1, -2) / math.sqrt(self.dk)
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(x_t.shape)
        return self.wo(o), (k, v)
