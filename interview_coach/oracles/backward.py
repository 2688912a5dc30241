"""Backward passes of softmax and attention, in the precision of their inputs.

Source: Dao et al., "FlashAttention", 2022, appendix B.2: the gradients of attention in matrix form, and the row sum
that the derivative of the softmax needs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from interview_coach.oracles.attention import softmax

Array = npt.NDArray[Any]


def softmax_backward(p: Array, dp: Array) -> Array:
    """Gradient with respect to the logits of ``p = softmax(s)`` over the last axis.

    The Jacobian of one row is ``diag(p) - p pᵀ``, so ``ds = p * (dp - sum(p * dp))``.
    """
    ds: Array = p * (dp - (p * dp).sum(-1, keepdims=True))
    return ds


def attention_backward(query: Array, key: Array, value: Array, d_out: Array) -> tuple[Array, Array, Array]:
    """Gradients of ``softmax(q kᵀ / √D) v`` with respect to q, k and v.

    Args:
        query: ``(..., Sq, D)``.
        key: ``(..., Sk, D)``.
        value: ``(..., Sk, Dv)``.
        d_out: ``(..., Sq, Dv)``, the gradient of the output.

    Returns:
        ``dq``, ``dk``, ``dv`` in the shapes of q, k and v.
    """
    scale = query.dtype.type(query.shape[-1] ** -0.5)
    p = softmax(query @ np.swapaxes(key, -1, -2) * scale)
    ds = softmax_backward(p, d_out @ np.swapaxes(value, -1, -2)) * scale
    return ds @ key, np.swapaxes(ds, -1, -2) @ query, np.swapaxes(p, -1, -2) @ d_out
