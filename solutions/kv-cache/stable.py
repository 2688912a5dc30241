"""Causal attention with a KV cache that grows by concatenation.

Idea: a causal mask freezes the past. The keys and values of earlier tokens never change, so they are kept, and a
call projects its new tokens only. What goes wrong on a whiteboard:

- append before attending: a token sees itself;
- with s tokens in the cache the scores are (T, s + T), and the diagonal moves by s: token i sees keys j <= s + i.
  ``tril()`` without ``diagonal=s`` hides the past, no mask at all lets a chunk see its own future;
- a single token needs no mask, which is why a wrong one often shows only where a chunk follows a prefill;
- hand back all keys and values, not the new ones.

Shapes: x (B, T, C), the new tokens; the cache is (k, v), each (B, n_heads, s, D), or None. Cost of a call: 8·T·C² +
4·T·(s + T)·C FLOPs a sample; the cache holds 2·(s + T)·C numbers a sample, and concatenating copies them at every call:
``preallocated.py`` does not. Vaswani et al. 2017, section 3.2.3, for the mask.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import torch
from torch import Tensor, nn

Cache: TypeAlias = tuple[Tensor, Tensor]


class CachedAttention(nn.Module):
    """Causal multi-head self-attention; ``forward`` returns the output and the cache for the next call."""

    def __init__(self, d_model: int, n_heads: int) -> None:
        """Make the four projections.

        Raises:
            ValueError: ``d_model`` is no multiple of ``n_heads``.
        """
        super().__init__()
        if n_heads < 1 or d_model % n_heads:
            raise ValueError(f"n_heads: {n_heads}, expected a divisor of d_model = {d_model}")
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.o_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x: Tensor, cache: Cache | None = None) -> tuple[Tensor, Cache]:
        """Attend from new tokens to all tokens so far.

        Args:
            x: ``(B, T, d_model)``.
            cache: What the call before returned; ``None`` begins a sequence.

        Returns:
            The output ``(B, T, d_model)``, and the keys and values of all tokens so far.

        Raises:
            ValueError: Shapes do not fit.
        """
        weight = self.q_proj.weight
        if x.ndim != 3 or x.shape[-1] != weight.shape[1] or 0 in x.shape or x.dtype != weight.dtype:
            raise ValueError(
                f"x: {x.dtype} of shape {tuple(x.shape)}, expected {weight.dtype} of shape "
                f"(batch, tokens, {weight.shape[1]}) without a 0"
            )
        q, k, v = (self._split(project(x)) for project in (self.q_proj, self.k_proj, self.v_proj))
        past = 0
        if cache is not None:
            _check_cache(cache, tuple(k.shape))
            past = cache[0].shape[2]
            k, v = (torch.cat((old, new), dim=2) for old, new in zip(cache, (k, v), strict=True))
        out = _attention(q, k, v, past)
        return self.o_proj(out.transpose(1, 2).reshape(x.shape)), (k, v)

    def _split(self, x: Tensor) -> Tensor:
        """``(B, T, H*D)`` to ``(B, H, T, D)``."""
        batch, length, width = x.shape
        return x.view(batch, length, self.n_heads, width // self.n_heads).transpose(1, 2)


def _attention(q: Tensor, k: Tensor, v: Tensor, past: int) -> Tensor:
    """Token i of the queries sees the keys up to ``past + i``, of which there is always one."""
    scores = (q / math.sqrt(q.shape[-1])) @ k.transpose(-2, -1)
    scores = scores.to(torch.promote_types(q.dtype, torch.float32))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).tril(diagonal=past)
    return torch.softmax(scores.masked_fill(~visible, -torch.inf), dim=-1).to(v.dtype) @ v


def _check_cache(cache: Cache, new: tuple[int, ...]) -> None:
    """Raise a ValueError for a cache of other batches, heads or head sizes than the new keys ``(B, H, T, D)``."""
    for name, kept in zip("kv", cache, strict=True):
        if kept.ndim != 4 or (kept.shape[0], kept.shape[1], kept.shape[3]) != (new[0], new[1], new[3]):
            raise ValueError(
                f"cache: {name} of shape {tuple(kept.shape)}, expected ({new[0]}, {new[1]}, tokens, {new[3]})"
            )
