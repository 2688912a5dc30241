from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn


class AttentionBase(nn.Module, ABC):
    @abstractmethod
    def score(self, q: Tensor, k: Tensor) -> Tensor: ...

    def attend(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return self.score(q, k).softmax(dim=-1) @ v


class DotProductMixin(AttentionBase):
    def score(self, q: Tensor, k: Tensor) -> Tensor:
        return q @ k.mT / q.shape[-1] ** 0.5


class MultiHeadSelfAttention(DotProductMixin):
    """Scale, split and merge are inherited or helpers; keyword-only constructor."""

    def __init__(self, *, hidden_dim: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.proj_qkv = nn.Linear(hidden_dim, 3 * hidden_dim)
        self.proj_out = nn.Linear(hidden_dim, hidden_dim)

    def forward(self, inputs: Tensor) -> Tensor:
        qkv = self.proj_qkv(inputs).unflatten(-1, (3, self.num_heads, -1))
        q, k, v = qkv.movedim(2, 0).transpose(2, 3)
        return self.proj_out(self.attend(q, k, v).transpose(1, 2).flatten(2))
