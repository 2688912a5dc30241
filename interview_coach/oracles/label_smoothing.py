"""Cross-entropy with smoothed labels, in the precision of its inputs.

Source: Szegedy et al., "Rethinking the Inception Architecture for Computer Vision", 2015, section 7.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def log_softmax(logits: Array) -> Array:
    """Logarithm of the softmax over the last axis."""
    shifted = logits - logits.max(-1, keepdims=True)
    found: Array = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return found


def label_smoothing_cross_entropy(logits: Array, target: Array, eps: float = 0.1) -> Array:
    """Mean cross-entropy with the targets ``(1 - eps) * one_hot + eps / C``.

    Args:
        logits: ``(N, C)``.
        target: ``(N,)`` class indices.
        eps: Spread evenly over all C classes, the target included.
    """
    log_p = log_softmax(logits)
    picked = np.take_along_axis(log_p, target[:, None], -1)[:, 0]
    eps = logits.dtype.type(eps)
    loss: Array = -((1 - eps) * picked + eps * log_p.mean(-1)).mean()
    return np.asarray(loss)
