"""Causal attention with a KV cache of a fixed size, written in place.

Idea: memory for ``max_tokens`` keys and values is taken once; a call writes its own rows at ``length ..`` and reads the
rows before the new end. Nothing is copied, and nothing is allocated from step to step but the scores.

- ``length`` counts tokens, not calls: it grows by T;
- read up to the new end only: what lies behind belongs to nobody, or to an earlier sequence;
- the cache is changed in place, so each sequence needs its own.

Shapes: x (B, T, C); the cache holds k and v, each (B, n_heads, max_tokens, D). Cost of a call after s
tokens: 8·T·C² + 4·T·(s + T)·C FLOPs a sample; the cache takes 2·max_tokens·C numbers a sample from the first call on.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn


class Cache:
    """Keys and values of one layer for the sequences of a batch, with room for ``max_tokens`` each."""

    def __init__(self, like: Tensor, max_tokens: int) -> None:
        """Take the memory.

        Args:
            like: ``(B, H, T, D)``, new keys, whose batch, heads, head size, dtype and device the cache takes over.
            max_tokens: Tokens that a sequence may have.
        """
        batch, heads, _, dim = like.shape
        self.k = like.new_zeros(batch, heads, max_tokens, dim)
        self.v = like.new_zeros(batch, heads, max_tokens, dim)
        self.length = 0

    def extend(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Write new rows behind the others; views of all rows so far.

        Raises:
            ValueError: There is no room, or the shapes do not fit.
        """
        kept, new = self.k.shape, k.shape
        if (kept[0], kept[1], kept[3]) != (new[0], new[1], new[3]):
            raise ValueError(f"cache: shape {tuple(kept)}, expected ({new[0]}, {new[1]}, max_tokens, {new[3]})")
        end = self.length + new[2]
        if end > kept[2]:
            raise ValueError(f"x: {new[2]} tokens after {self.length}, expected at most {kept[2]} in all (max_tokens)")
        self.k[:, :, self.length : end] = k
        self.v[:, :, self.length : end] = v
        self.length = end
        return self.k[:, :, :end], self.v[:, :, :end]


class CachedAttention(nn.Module):
    """Causal multi-head self-attention for generation: no gradients, the cache is changed in place and handed back."""

    def __init__(self, d_model: int, n_heads: int, max_tokens: int = 512) -> None:
        """Make the projections.

        Raises:
            ValueError: ``d_model`` is no multiple of ``n_heads``.
        """
        super().__init__()
        if n_heads < 1 or d_model % n_heads:
            raise ValueError(f"n_heads: {n_heads}, expected a divisor of d_model = {d_model}")
        self.n_heads, self.max_tokens = n_heads, max_tokens
        self.qkv_proj = nn.Linear(d_model, 3 * d_model, bias=False)
        self.o_proj = nn.Linear(d_model, d_model, bias=False)

    @torch.no_grad()
    def forward(self, x: Tensor, cache: Cache | None = None) -> tuple[Tensor, Cache]:
        """Attend from new tokens ``(B, T, d_model)`` to all tokens so far; ``cache=None`` begins a sequence.

        Raises:
            ValueError: Shapes do not fit, or the cache is full.
        """
        weight = self.qkv_proj.weight
        if x.ndim != 3 or x.shape[-1] != weight.shape[1] or 0 in x.shape or x.dtype != weight.dtype:
            raise ValueError(
                f"x: {x.dtype} of shape {tuple(x.shape)}, expected {weight.dtype} of shape "
                f"(batch, tokens, {weight.shape[1]}) without a 0"
            )
        batch, tokens, width = x.shape
        q, k, v = (
            t.view(batch, tokens, self.n_heads, width // self.n_heads).transpose(1, 2)
            for t in self.qkv_proj(x).chunk(3, dim=-1)
        )
        cache = Cache(k, self.max_tokens) if cache is None else cache
        past = cache.length
        k, v = cache.extend(k, v)
        scores = (q / math.sqrt(q.shape[-1])) @ k.transpose(-2, -1)
        scores = scores.to(torch.promote_types(q.dtype, torch.float32))
        if tokens > 1:  # a single token sees everything
            visible = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).tril(diagonal=past)
            scores = scores.masked_fill(~visible, -torch.inf)
        out = torch.softmax(scores, dim=-1).to(v.dtype) @ v
        return self.o_proj(out.transpose(1, 2).reshape(x.shape)), cache
