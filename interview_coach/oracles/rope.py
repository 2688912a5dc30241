"""Rotary position embedding, in the precision of its inputs.

Source: Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021, section 3.2.2
(equation 14) and section 3.4.2 (equation 34). The paper pairs neighbouring channels; most checkpoints since GPT-NeoX
pair a channel of the first half with one of the second.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def apply_rope(x: Array, positions: Array, base: float = 10000.0, *, interleaved: bool = False) -> Array:
    """Rotate pairs of channels of ``x`` by the angle ``position * base ** (-2 i / D)``.

    Args:
        x: ``(B, H, S, D)``, D even.
        positions: ``(S,)`` or ``(B, S)``.
        base: Of the frequencies.
        interleaved: Pair ``(x[2i], x[2i + 1])`` instead of ``(x[i], x[i + D/2])``.
    """
    dim = x.shape[-1]
    frequencies = base ** (-2.0 * np.arange(dim // 2) / dim)
    angles = np.asarray(positions, np.float64)[..., None] * frequencies
    if angles.ndim == 3:
        angles = angles[:, None]
    cos, sin = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    out = np.empty_like(x)
    first, second = (
        (slice(0, None, 2), slice(1, None, 2)) if interleaved else (slice(0, dim // 2), slice(dim // 2, None))
    )
    out[..., first] = x[..., first] * cos - x[..., second] * sin
    out[..., second] = x[..., second] * cos + x[..., first] * sin
    return out
