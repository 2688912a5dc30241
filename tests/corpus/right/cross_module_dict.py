import torch
import torch.nn as nn


class EncDec(nn.Module):
    """context_mask is (B, Sk) with True = padding (to be dropped)."""

    def __init__(self, q_dim, kv_dim, n_head, bias=True):
        super().__init__()
        self.n_head = n_head
        self.lin = nn.ModuleDict({
            "q": nn.Linear(q_dim, q_dim, bias=bias),
            "k": nn.Linear(kv_dim, q_dim, bias=bias),
            "v": nn.Linear(kv_dim, q_dim, bias=bias),
            "out": nn.Linear(q_dim, q_dim, bias=bias),
        })

    def _heads(self, name, t):
        y = self.lin[name](t)
        return y.view(*y.shape[:-1], self.n_head, -1).transpose(-3, -2)

    def forward(self, tgt, memory, memory_key_padding_mask=None):
        q, k, v = self._heads("q", tgt), self._heads("k", memory), self._heads("v", memory)
        logits = (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(-1).div(q.shape[-1] ** 0.5)
        if memory_key_padding_mask is not None:
            logits.masked_fill_(memory_key_padding_mask.bool()[:, None, None], float("-inf"))
        o = logits.softmax(-1).matmul(v)
        return self.lin["out"](o.transpose(-3, -2).flatten(-2))
