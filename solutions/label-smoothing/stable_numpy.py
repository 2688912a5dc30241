"""Cross-entropy with label smoothing, in numpy.

Idea: as in ``stable.py``: (1 − eps) times the usual loss, plus eps times the mean of −log p over all classes, with
log p = x − logsumexp(x).

Shapes: logits (N, C), target (N,); a scalar. Cost: O(N·C). Szegedy et al. 2015, section 7.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def label_smoothing_cross_entropy(logits: Array, target: Array, eps: float = 0.1) -> Array:
    """Mean over the batch of the cross-entropy with smoothed targets.

    Raises:
        ValueError: Shapes or dtypes do not fit, a class is none of the C, or ``eps`` is outside [0, 1].
    """
    if logits.ndim != 2 or 0 in logits.shape or not np.issubdtype(logits.dtype, np.floating):
        raise ValueError(f"logits: {logits.dtype} of shape {logits.shape}, expected floating, (N, C) without a 0")
    rows, classes = logits.shape
    if target.shape != (rows,) or not np.issubdtype(target.dtype, np.integer):
        raise ValueError(f"target: {target.dtype} of shape {target.shape}, expected integers of shape ({rows},)")
    if not 0 <= target.min() <= target.max() < classes:
        raise ValueError(f"target: {target.tolist()}, expected classes from 0 to {classes - 1}")
    if not 0.0 <= eps <= 1.0:
        raise ValueError(f"eps: {eps}, expected 0 to 1")
    x = logits.astype(np.promote_types(logits.dtype, np.float32))
    shifted = x - x.max(-1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    picked = log_p[np.arange(rows), target]
    loss = -((1 - eps) * picked + eps * log_p.mean(-1)).mean()
    return np.asarray(loss, logits.dtype)
