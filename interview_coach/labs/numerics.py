"""What several labs need: softmax and its entropy, bfloat16 by rounding, samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def softmax(x: Array) -> Array:
    """Softmax over the last axis, the maximum subtracted first; the dtype of ``x`` is kept."""
    e = np.exp(x - x.max(-1, keepdims=True))
    p: Array = e / e.sum(-1, keepdims=True)
    return p


def entropy(logits: Array) -> Array:
    """Entropy in nats of softmax(``logits``) over the last axis: log-sum-exp minus the mean logit, so no log of 0."""
    z = logits - logits.max(-1, keepdims=True)
    e = np.exp(z)
    total = e.sum(-1)
    h: Array = np.log(total) - (e * z).sum(-1) / total
    return h


def bfloat16(x: Array) -> NDArray[np.float32]:
    """``x`` rounded to the nearest bfloat16, ties to even, held as float32.

    bfloat16 is the upper half of a float32, so rounding adds just under half of the lower half and cuts it off.
    """
    bits = np.asarray(x, np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) & np.uint32(0xFFFF0000)
    value = rounded.view(np.float32)
    return np.where(np.isfinite(x), value, np.asarray(x, np.float32))


def normal(rng: np.random.Generator, *shape: int) -> NDArray[np.float64]:
    """Independent draws, mean 0 and variance 1, float64."""
    return rng.standard_normal(shape)


def dots(q: Array, k: Array) -> Array:
    """``q @ k.T`` for up to 128 rows, summed over slices of 32 channels.

    BLAS keeps products this small on one thread. Two threads gain nothing here and, on a busy machine, wait for each
    other for longer than the whole lab takes.
    """
    total: Array = np.zeros((len(q), len(k)), q.dtype)
    for i in range(0, q.shape[-1], 32):
        total += q[:, i : i + 32] @ k[:, i : i + 32].T
    return total
