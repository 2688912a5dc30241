"""Rotary position embedding in numpy, on pairs (x[i], x[i + D/2]).

Idea: as in ``stable.py``: D/2 angles a position, position · base^(−2i/D), and each pair of channels turned by its own.

Shapes: x (B, H, S, D), positions (S,) or (B, S); the result has the shape of x. Cost: O(S·D). Su et al. 2021, section
3.2.2. float16 is computed in float32.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def apply_rope(x: Array, positions: Array, base: float = 10000.0) -> Array:
    """Rotate the channels of ``x`` by its positions.

    Raises:
        ValueError: ``x`` is not floating, or D is odd, or the positions or the base do not fit.
    """
    if x.ndim != 4 or 0 in x.shape or x.shape[-1] % 2 or not np.issubdtype(x.dtype, np.floating):
        raise ValueError(
            f"x: {x.dtype} of shape {x.shape}, expected floating, (B, H, S, D) without a 0 and with D even"
        )
    length, dim = x.shape[-2:]
    if positions.shape not in ((length,), (x.shape[0], length)):
        raise ValueError(f"positions: shape {positions.shape}, expected ({length},) or ({x.shape[0]}, {length})")
    if not base > 0:
        raise ValueError(f"base: {base!r}, expected a number above 0")
    wide = np.promote_types(x.dtype, np.float32)
    angles = positions[..., None] * base ** (-np.arange(0, dim, 2) / dim)
    if angles.ndim == 3:
        angles = angles[:, None]
    cos, sin = np.cos(angles).astype(wide), np.sin(angles).astype(wide)
    first, second = np.split(x.astype(wide), 2, -1)
    return np.concatenate([first * cos - second * sin, second * cos + first * sin], -1).astype(x.dtype)
