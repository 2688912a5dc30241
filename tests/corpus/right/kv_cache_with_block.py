import torch
from torch import nn
class Block(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        self.attn = CausalSelfAttention(n_embd, n_head)
    def forward(self, x, cache=None):
        y, cache = self.attn(x, cache)
        return x + y, cache
class CausalSelfAttention(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        self.n_head = n_head
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)
    def forward(self, x, cache=None):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(C, dim=2)
        q, k, v = (z.view(B, T, self.n_head, C // self.n_head).transpose(1, 2) for z in (q, k, v))
        if cache is not None:
            k = torch.cat((cache[0], k), 2); v = torch.cat((cache[1], v), 2)
        n = k.size(2)
        att = (q @ k.transpose(-2, -1)) * k.size(-1) ** -0.5
        att = att.masked_fill(torch.ones(T, n).tril(n - T) == 0, float('-inf')).softmax(-1)
        return self.c_proj((att @ v).transpose(1, 2).reshape(B, T, C)), (k, v)
if __name__ == "__main__":
    m = CausalSelfAttention(32, 4)
    x = torch.randn(1, 5, 32)
    full, _ = m(x)
    c = None; outs = []
    for t in range(5):
        y, c = m(x[:, t:t+1], c); outs.append(y)
    assert torch.allclose(full, torch.cat(outs, 1), atol=1e-5)
