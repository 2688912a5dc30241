"""Cross-entropy with label smoothing.

Idea: the target is (1 − eps) · one-hot + eps / C, so the loss is (1 − eps) times the usual one, plus eps times
the mean of −log p over all classes: no smoothed target has to be built. log p = x − logsumexp(x) comes from the
logits; log of a computed softmax is −inf as soon as a probability underflows.

Shapes: logits (N, C), target (N,); a scalar. Cost: O(N·C). Szegedy et al. 2015, section 7.
"""

from __future__ import annotations

import torch
from torch import Tensor


def label_smoothing_cross_entropy(logits: Tensor, target: Tensor, eps: float = 0.1) -> Tensor:
    """Mean over the batch of the cross-entropy with smoothed targets.

    Raises:
        ValueError: Shapes or dtypes do not fit, a class is none of the C, or ``eps`` is outside [0, 1].
    """
    if logits.ndim != 2 or 0 in logits.shape or not logits.is_floating_point():
        raise ValueError(
            f"logits: {logits.dtype} of shape {tuple(logits.shape)}, expected floating, (N, C) without a 0"
        )
    rows, classes = logits.shape
    if target.shape != (rows,) or target.dtype not in (torch.int64, torch.int32):
        raise ValueError(
            f"target: {target.dtype} of shape {tuple(target.shape)}, expected torch.int64 of shape ({rows},)"
        )
    if not 0 <= int(target.min()) <= int(target.max()) < classes:
        raise ValueError(f"target: {target.tolist()}, expected classes from 0 to {classes - 1}")
    if not 0.0 <= eps <= 1.0:
        raise ValueError(f"eps: {eps}, expected 0 to 1")
    x = logits.to(torch.promote_types(logits.dtype, torch.float32))
    # The result does not depend on the shift, so no gradient has to flow through it.
    shifted = x - x.detach().amax(-1, keepdim=True)
    log_p = shifted - torch.log(torch.exp(shifted).sum(-1, keepdim=True))
    picked = log_p.gather(-1, target.long().unsqueeze(-1)).squeeze(-1)
    return -((1 - eps) * picked + eps * log_p.mean(-1)).mean().to(logits.dtype)
