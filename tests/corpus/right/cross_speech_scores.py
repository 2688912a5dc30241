from typing import Optional, Tuple

import torch
from torch import Tensor, nn


class AudioTextAttention(nn.Module):
    """Text tokens x attend to audio features xa. The key layer has no bias: a constant would cancel.

    Returns the output and the scores before the softmax (for word timestamps).
    """

    def __init__(self, n_state: int, n_head: int):
        super().__init__()
        self.n_head = n_head
        self.query = nn.Linear(n_state, n_state)
        self.key = nn.Linear(n_state, n_state, bias=False)
        self.value = nn.Linear(n_state, n_state)
        self.out = nn.Linear(n_state, n_state)

    def forward(self, x: Tensor, xa: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
        src = x if xa is None else xa
        wv, qk = self.qkv_attention(self.query(x), self.key(src), self.value(src))
        return self.out(wv), qk

    def qkv_attention(self, q: Tensor, k: Tensor, v: Tensor) -> Tuple[Tensor, Tensor]:
        scale = (q.shape[-1] // self.n_head) ** -0.25
        q = q.view(*q.shape[:2], self.n_head, -1).permute(0, 2, 1, 3) * scale
        k = k.view(*k.shape[:2], self.n_head, -1).permute(0, 2, 3, 1) * scale
        v = v.view(*v.shape[:2], self.n_head, -1).permute(0, 2, 1, 3)
        qk = (q @ k).float()
        w = torch.softmax(qk, dim=-1).to(q.dtype)
        return (w @ v).permute(0, 2, 1, 3).flatten(start_dim=2), qk.detach()
