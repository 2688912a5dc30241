"""Merging two partial results of attention by their log-sum-exps.

Idea: each part is Σ exp(s) v over its own keys, divided by its own Σ exp(s) = exp(lse). Over all keys the
numerators and the denominators add up, so a part has the weight exp(lse) / (exp(lse_a) + exp(lse_b)). The
larger log-sum-exp is subtracted first: only the difference matters, and exp of it is at most 1.

A part without keys has lse = −inf and weight 0. Where both have none, −inf − (−inf) would be NaN: 0 is
subtracted there, and the result is 0 with lse = −inf.

Shapes: out (..., S, D), lse (..., S), in fp32 for half outputs. This is the second kernel of split-KV decoding
and the step of ring attention; it is associative, so any number of parts merge in any order.
"""

from __future__ import annotations

import torch
from torch import Tensor


def merge_attention(out_a: Tensor, lse_a: Tensor, out_b: Tensor, lse_b: Tensor) -> tuple[Tensor, Tensor]:
    """``(out, lse)`` over the keys of both parts.

    Raises:
        ValueError: Shapes do not fit, or something is not floating.
    """
    rows = out_a.shape[:-1]
    for name, x, shape in (
        ("out_a", out_a, out_a.shape),
        ("lse_a", lse_a, rows),
        ("out_b", out_b, out_a.shape),
        ("lse_b", lse_b, rows),
    ):
        if x.shape != shape or x.ndim == 0 or 0 in shape or not x.is_floating_point():
            raise ValueError(
                f"{name}: {x.dtype} of shape {tuple(x.shape)}, expected floating, {tuple(shape)} without a 0, "
                f"to go with out_a {tuple(out_a.shape)}"
            )
    wide = torch.promote_types(out_a.dtype, torch.float32)
    a, b = lse_a.to(wide), lse_b.to(wide)
    peak = torch.maximum(a, b)
    peak = peak.masked_fill(peak == -torch.inf, 0.0)
    weight_a, weight_b = torch.exp(a - peak), torch.exp(b - peak)
    total = weight_a + weight_b
    share = 1 / total.masked_fill(total == 0, 1.0)
    out = (weight_a * share).unsqueeze(-1) * out_a + (weight_b * share).unsqueeze(-1) * out_b
    return out.to(out_a.dtype), (peak + torch.log(total)).to(lse_a.dtype)
