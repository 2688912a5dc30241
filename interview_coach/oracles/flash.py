"""Attention with its log-sum-exp, and the backward pass that starts from it, in the precision of their inputs.

Sources: Dao et al., "FlashAttention", 2022, section 3.1 and appendix B (forward, backward from stored statistics); Dao,
"FlashAttention-2", 2023, section 3.1: the log-sum-exp ``L = m + log(l)`` is the only statistic that is kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from interview_coach.oracles.attention import causal_mask, softmax
from interview_coach.oracles.backward import softmax_backward

Array = npt.NDArray[Any]


def _logits(query: Array, key: Array, mask: Array | None, causal: bool) -> Array:
    logits: Array = query @ np.swapaxes(key, -1, -2) * query.dtype.type(query.shape[-1] ** -0.5)
    if mask is not None:
        logits = np.where(mask, logits, -np.inf)
    if causal:
        logits = np.where(causal_mask(query.shape[-2], key.shape[-2]), logits, -np.inf)
    return logits


def log_sum_exp(logits: Array) -> Array:
    """``log(sum(exp(logits)))`` along the last axis; ``-inf`` where every logit is."""
    peak = logits.max(-1, keepdims=True)
    safe = np.where(np.isfinite(peak), peak, 0).astype(logits.dtype)
    with np.errstate(divide="ignore"):
        total: Array = safe[..., 0] + np.log(np.exp(logits - safe).sum(-1))
    return total


def flash_attention(
    query: Array, key: Array, value: Array, mask: Array | None = None, *, causal: bool = False
) -> tuple[Array, Array]:
    """The output of attention, and the log-sum-exp of each row of its scaled logits.

    Args:
        query: ``(..., Sq, D)``.
        key: ``(..., Sk, D)``.
        value: ``(..., Sk, Dv)``.
        mask: Boolean, broadcastable to ``(..., Sq, Sk)``, ``True`` = may attend.
        causal: Aligned to the bottom right.

    Returns:
        ``(..., Sq, Dv)`` and ``(..., Sq)``; 0 and ``-inf`` for a query with nothing to attend to.
    """
    logits = _logits(query, key, mask, causal)
    return softmax(logits) @ value, log_sum_exp(logits)


def flash_attention_backward(
    query: Array, key: Array, value: Array, d_out: Array, mask: Array | None = None, *, causal: bool = False
) -> tuple[Array, Array, Array]:
    """Gradients of :func:`flash_attention`'s output with respect to q, k and v, in their shapes."""
    scale = query.dtype.type(query.shape[-1] ** -0.5)
    p = softmax(_logits(query, key, mask, causal))
    ds = softmax_backward(p, d_out @ np.swapaxes(value, -1, -2)) * scale
    return ds @ key, np.swapaxes(ds, -1, -2) @ query, np.swapaxes(p, -1, -2) @ d_out
