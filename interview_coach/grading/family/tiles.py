"""Attention by tiles of keys with a running maximum and sum, and the ways to get it wrong.

Source of the right recurrence: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018, section 3;
Dao, "FlashAttention-2", 2023, section 3.1.
"""

from __future__ import annotations

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.family.base import NotApplicable
from interview_coach.grading.family.inputs import AttentionInputs, Stage, Step, V
from interview_coach.records import record

BLOCKS = (1, 2, 3, 4, 5, 6, 8, 16, 32, 64, 128)


@record
class Fault:
    """What a tiled loop forgets."""

    rescale_output: bool = True
    rescale_sum: bool = True
    keep_maximum: bool = True
    drop_tail: bool = False
    pad_tail: bool = False
    normalise_each: bool = False


def _tiled(block: int, fault: Fault) -> Step:
    def apply(f: AttentionInputs) -> None:
        logits = f.logits if f.allowed is None else np.where(f.allowed, f.logits, -np.inf)
        value = np.broadcast_to(f.value, (*logits.shape[:-2], *f.value.shape[-2:]))
        keys = logits.shape[-1]
        if block >= keys and not fault.pad_tail and not fault.drop_tail:
            raise NotApplicable
        if (fault.drop_tail or fault.pad_tail) and keys % block == 0:
            raise NotApplicable
        if fault.drop_tail:
            keys -= keys % block
        if fault.pad_tail:
            extra = -keys % block
            logits = np.concatenate([logits, np.zeros((*logits.shape[:-1], extra))], axis=-1)
            value = np.concatenate([value, np.zeros((*value.shape[:-2], extra, value.shape[-1]))], axis=-2)
            keys += extra
        f.out = _loop(logits[..., :keys], value[..., :keys, :], block, fault)

    return apply


def _loop(logits: Array, value: Array, block: int, fault: Fault) -> Array:
    peak = np.full((*logits.shape[:-1], 1), -np.inf)
    total = np.zeros_like(peak)
    out = np.zeros((*logits.shape[:-1], value.shape[-1]))
    for start in range(0, logits.shape[-1], block):
        s, v = logits[..., start : start + block], value[..., start : start + block, :]
        here = s.max(-1, keepdims=True)
        new = np.maximum(peak, here) if fault.keep_maximum else here
        safe = np.where(np.isfinite(new), new, 0.0)
        shrink = np.exp(peak - safe) if fault.keep_maximum else np.ones_like(safe)
        p = np.exp(s - safe)
        total = total * (shrink if fault.rescale_sum else 1.0) + p.sum(-1, keepdims=True)
        out = out * (shrink if fault.rescale_output else 1.0) + p @ v
        if fault.normalise_each:
            out = out / total
        peak = new
    return out if fault.normalise_each else np.divide(out, total, out=np.zeros_like(out), where=total > 0)


_FAULTS = {
    "accumulator-not-rescaled": Fault(rescale_output=False),
    "denominator-not-rescaled": Fault(rescale_sum=False),
    "max-not-kept": Fault(keep_maximum=False),
    "tail-dropped": Fault(drop_tail=True),
    "tail-not-masked": Fault(pad_tail=True),
}

TILED: Stage = {
    f"{code}-{block}": V(_tiled(block, fault), code, alone=True)
    for code, fault in _FAULTS.items()
    for block in BLOCKS
    if block > 1 or not code.startswith("tail")
}
"""Variants of the last step that each spoil a tiled loop, for the usual block sizes."""
