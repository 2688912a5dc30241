import torch
import torch.nn as nn

class CausalAttentionWithCache(nn.Module):
    def __init__(self, n_embd: int, n_head: int, use_cache: bool = False):
        super().__init__()
        self.n_head = n_head
        self.key = nn.Linear(n_embd, n_embd)
        self.query = nn.Linear(n_embd, n_embd)
        self.value = nn.Linear(n_embd, n_embd)
        self.proj = nn.Linear(n_embd, n_embd)
        self.use_cache = use_cache
        self.clear_cache()

    def clear_cache(self):
        self.k_cache = None
        self.v_cache = None

    def forward(self, x):
        B, T, C = x.size()
        k = self.key(x).view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        q = self.query(x).view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = self.value(x).view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        if self.use_cache:
            if self.k_cache is not None:
                k = torch.cat([self.k_cache, k], dim=2)
                v = torch.cat([self.v_cache, v], dim=2)
            self.k_cache, self.v_cache = k.detach(), v.detach()
        L = k.size(2)
        att = (q @ k.transpose(-2, -1)) * (k.size(-1) ** -0.5)
        causal = torch.tril(torch.ones(L, L, device=x.device, dtype=torch.bool))[-T:]
        att = att.masked_fill(~causal, float('-inf'))
        y = att.softmax(-1) @ v
        return self.proj(y.transpose(1, 2).reshape(B, T, C))
