"""Linear attention in numpy, with the feature map elu(x) + 1.

Idea: as in ``stable.py``: φ(q) (φ(k)ᵀ v) over φ(q) Σ φ(k). Causal, the two sums run along: a chunk sees those of the
chunks before it, and itself by a small triangle of scores.

Shapes: q (..., Sq, D), k (..., Sk, D), v (..., Sk, Dv) to (..., Sq, Dv). Cost: 4·S·D·Dv FLOPs a head, O(D·Dv) state.
Katharopoulos et al. 2020, equations (4) to (12). float16 is computed in float32.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def linear_attention(q: Array, k: Array, v: Array, causal: bool = False, chunk: int = 64) -> Array:
    """Linear attention of ``q`` over ``k`` and ``v``; with ``causal``, query i sees keys j <= i.

    Raises:
        ValueError: Shapes or dtypes do not fit, or ``chunk`` is below 1.
    """
    _check(q, k, v, causal)
    if not isinstance(chunk, int) or chunk < 1:
        raise ValueError(f"chunk: {chunk!r}, expected an integer of at least 1")
    wide = np.promote_types(q.dtype, np.float32)
    fq, fk, values = _features(q.astype(wide)), _features(k.astype(wide)), v.astype(wide)
    if not causal:
        out: Array = fq @ (fk.swapaxes(-2, -1) @ values) / (fq @ fk.sum(-2)[..., None])
        return out.astype(q.dtype)
    state = np.zeros((*q.shape[:-2], q.shape[-1], v.shape[-1]), wide)
    normaliser = np.zeros((*q.shape[:-2], q.shape[-1], 1), wide)
    parts = []
    for start in range(0, q.shape[-2], chunk):
        here = slice(start, start + chunk)
        qc, kc, vc = fq[..., here, :], fk[..., here, :], values[..., here, :]
        inside = np.tril(qc @ kc.swapaxes(-2, -1))
        parts.append((inside @ vc + qc @ state) / (inside.sum(-1, keepdims=True) + qc @ normaliser))
        state = state + kc.swapaxes(-2, -1) @ vc
        normaliser = normaliser + kc.sum(-2)[..., None]
    return np.concatenate(parts, -2).astype(q.dtype)


def _features(x: Array) -> Array:
    """elu(x) + 1."""
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def _check(q: Array, k: Array, v: Array, causal: bool) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        if x.ndim < 2 or 0 in x.shape or not np.issubdtype(x.dtype, np.floating) or x.dtype != q.dtype:
            wanted = q.dtype if np.issubdtype(q.dtype, np.floating) else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {x.shape}, expected {wanted} of shape (..., seq, dim) without a 0"
            )
    if k.shape[:-2] != q.shape[:-2] or k.shape[-1] != q.shape[-1]:
        raise ValueError(f"k: shape {k.shape}, expected that of q {q.shape} but for its length")
    if v.shape[:-1] != k.shape[:-1]:
        raise ValueError(f"v: shape {v.shape}, expected that of k {k.shape} but for its last dim")
    if causal and q.shape[-2] != k.shape[-2]:
        raise ValueError(f"k: shape {k.shape}, expected the length of q {q.shape} with causal=True")
