"""Sliding-window attention with global tokens, without the S x S matrix.

Idea: a token sees `window` keys on each side and the global tokens; a global token sees everything. So there
are two parts:

- every query over 2·window + 1 neighbours and G global keys, S x (2·window + 1 + G) scores. A global key that
  is also a neighbour is hidden in the window, or it would count twice;
- the G global queries over all keys, G x S scores, which replace their rows.

Shapes: q, k (B, H, S, D), v (B, H, S, Dv). Cost: O(S·(window + G)) where full attention takes O(S²). Beltagy et
al. 2020, section 3.1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor


def longformer_attention(q: Tensor, k: Tensor, v: Tensor, window: int, global_tokens: Sequence[int] | Tensor) -> Tensor:
    """Attention with a window on each side and symmetric global tokens.

    Args:
        q: ``(B, H, S, D)``.
        k: ``(B, H, S, D)``.
        v: ``(B, H, S, Dv)``.
        window: Keys on each side, at least 0.
        global_tokens: Positions, or a boolean mask ``(S,)``.

    Raises:
        ValueError: Shapes do not fit, a position is outside the sequence, or ``window`` is negative.
    """
    for name, x in (("q", q), ("k", k), ("v", v)):
        if x.ndim != 4 or 0 in x.shape or not x.is_floating_point() or x.dtype != q.dtype:
            wanted = q.dtype if q.is_floating_point() else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {tuple(x.shape)}, expected {wanted} of shape (B, H, S, D) without a 0"
            )
    length = q.shape[-2]
    if k.shape != q.shape:
        raise ValueError(f"k: shape {tuple(k.shape)}, expected that of q {tuple(q.shape)}")
    if v.shape[:-1] != k.shape[:-1]:
        raise ValueError(f"v: shape {tuple(v.shape)}, expected that of k {tuple(k.shape)} but for its last dim")
    if not isinstance(window, int) or window < 0:
        raise ValueError(f"window: {window!r}, expected an integer of at least 0")
    chosen = _positions(global_tokens, length, q.device)
    wide = torch.promote_types(q.dtype, torch.float32)
    scaled, keys, values = q.to(wide) / math.sqrt(q.shape[-1]), k.to(wide), v.to(wide)
    is_global = torch.zeros(length, dtype=torch.bool, device=q.device)
    is_global[chosen] = True
    near = torch.arange(length, device=q.device)[:, None] + torch.arange(-window, window + 1, device=q.device)
    inside = (near >= 0) & (near < length)
    near = near.clamp(0, length - 1)
    hidden = ~inside | is_global[near]
    local = torch.einsum("bhsd,bhswd->bhsw", scaled, keys[:, :, near]).masked_fill(hidden, -torch.inf)
    far = scaled @ keys[:, :, chosen].transpose(-2, -1)
    weights = torch.softmax(torch.cat([local, far], -1), -1)
    own, shared = weights.split([near.shape[1], len(chosen)], -1)
    out = torch.einsum("bhsw,bhswd->bhsd", own, values[:, :, near]) + shared @ values[:, :, chosen]
    rows = torch.softmax(scaled[:, :, chosen] @ keys.transpose(-2, -1), -1) @ values
    return out.index_copy(2, chosen, rows).to(q.dtype)


def _positions(global_tokens: Sequence[int] | Tensor, length: int, device: torch.device) -> Tensor:
    """Global tokens as positions, each once."""
    found = torch.as_tensor(global_tokens, device=device)
    if found.dtype == torch.bool:
        if found.shape != (length,):
            raise ValueError(f"global_tokens: mask of shape {tuple(found.shape)}, expected ({length},)")
        found = found.nonzero()[:, 0]
    if found.ndim != 1 or (found.numel() and (found.is_floating_point() or found.is_complex())):
        raise ValueError(f"global_tokens: {found.dtype} of shape {tuple(found.shape)}, expected integers, (G,)")
    found = found.long().unique()
    if found.numel() and not 0 <= int(found.min()) <= int(found.max()) < length:
        raise ValueError(f"global_tokens: {found.tolist()}, expected positions from 0 to {length - 1}")
    return found
