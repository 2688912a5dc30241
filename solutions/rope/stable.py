"""Rotary position embedding, half-split.

Idea: channels i and i + D/2 are one point in the plane, turned by the angle position · base^(−2i/D). Turning q
by m·θ and k by n·θ leaves their dot product a function of m − n alone; lengths do not change.

The angles are computed in fp32 whatever the dtype of x: a position of 257 does not exist in bf16, and an angle
that is off by a part in 256 points elsewhere from position 100 on.

Shapes: x (B, H, S, D), D even; positions (S,) or (B, S). Cost: O(S·D) for the angles, shared by all heads. Su
et al. 2021, section 3.2.2; the paper pairs neighbours (2i, 2i + 1), which is another order of the same
channels.
"""

from __future__ import annotations

import torch
from torch import Tensor


def apply_rope(x: Tensor, positions: Tensor, base: float = 10000.0) -> Tensor:
    """Rotate the channels of ``x`` by its positions.

    Raises:
        ValueError: ``x`` is not floating, or D is odd, or the positions or the base do not fit.
    """
    if x.ndim != 4 or 0 in x.shape or x.shape[-1] % 2 or not x.is_floating_point():
        raise ValueError(
            f"x: {x.dtype} of shape {tuple(x.shape)}, expected floating, (B, H, S, D) without a 0 and with D even"
        )
    length, dim = x.shape[-2:]
    if tuple(positions.shape) not in ((length,), (x.shape[0], length)):
        raise ValueError(f"positions: shape {tuple(positions.shape)}, expected ({length},) or ({x.shape[0]}, {length})")
    if not base > 0:
        raise ValueError(f"base: {base!r}, expected a number above 0")
    wide = torch.promote_types(x.dtype, torch.float32)
    frequencies = base ** (-torch.arange(0, dim, 2, dtype=wide, device=x.device) / dim)
    angles = positions.to(wide)[..., None] * frequencies
    if angles.ndim == 3:
        angles = angles.unsqueeze(1)
    cos, sin = angles.cos(), angles.sin()
    first, second = x.to(wide).chunk(2, -1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], -1).to(x.dtype)
