"""Attention by tiles of keys, with a switch for each thing that goes wrong in it.

Source of the right recurrence: Dao, "FlashAttention-2", 2023, section 3.1 (algorithm 1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from interview_coach.grading.functions.task import Array
from interview_coach.records import record

_LN2 = float(np.log(2.0))


@record
class Fault:
    """What a loop over tiles gets wrong.

    Attributes:
        output: How what was accumulated before is rescaled: ``exp(m - m_new)`` if empty.
        total: The same of the running sum.
        peak: What stands for the running maximum: ``max(m, max of the tile)`` if empty.
        end: What the output is divided by at the end: the running sum if empty.
        tail: What becomes of the keys after the last whole tile.
        rows: What becomes of the queries after the last whole tile.
    """

    output: str = ""
    total: str = ""
    peak: str = ""
    end: str = ""
    tail: str = ""
    rows: str = ""


FACTORS: Mapping[str, Callable[[Array, Array, Array], Array]] = {
    "": lambda m, new, here: np.exp(m - new),
    "none": lambda m, new, here: np.ones_like(m),
    "inverse": lambda m, new, here: np.exp(new - m),
    "late": lambda m, new, here: np.exp(m - new),
    "by-tile": lambda m, new, here: np.exp(m - here),
    "twice": lambda m, new, here: np.exp(2 * (m - new)),
    "base-two": lambda m, new, here: 2.0 ** (m - new),
    "tile-terms": lambda m, new, here: np.exp(m - new),
    "last": lambda m, new, here: np.zeros_like(m),
}

FAULTS: Mapping[str, tuple[Fault, str]] = {
    **{
        f"output-{f}": (Fault(output=f), "accumulator-not-rescaled")
        for f in ("none", "inverse", "late", "by-tile", "twice", "tile-terms", "last")
    },
    **{
        f"sum-{f}": (Fault(total=f), "denominator-not-rescaled")
        for f in ("none", "inverse", "late", "by-tile", "twice", "tile-terms", "last")
    },
    "neither": (Fault(output="none", total="none"), "accumulator-not-rescaled denominator-not-rescaled max-not-kept"),
    "both-inverse": (Fault(output="inverse", total="inverse"), "accumulator-not-rescaled denominator-not-rescaled"),
    "both-late": (Fault(output="late", total="late"), "accumulator-not-rescaled denominator-not-rescaled"),
    "output-base-two": (Fault(output="base-two"), "base-two-exponent accumulator-not-rescaled"),
    "sum-base-two": (Fault(total="base-two"), "base-two-exponent denominator-not-rescaled"),
    "both-base-two": (Fault(output="base-two", total="base-two"), "base-two-exponent accumulator-not-rescaled"),
    "tile-terms": (Fault(output="tile-terms", total="tile-terms"), "max-not-kept accumulator-not-rescaled"),
    "tile-maximum": (Fault(peak="tile"), "max-not-kept"),
    "tile-maximum-by-old": (Fault(peak="tile-kept"), "max-not-kept"),
    "each-normalised": (Fault(end="each"), "accumulator-not-rescaled denominator-not-rescaled"),
    "each-by-running-sum": (Fault(end="running"), "accumulator-not-rescaled"),
    "each-tile-softmax": (Fault(end="tile-sum"), "denominator-not-rescaled accumulator-not-rescaled"),
    "tiles-averaged": (Fault(end="tile-mean"), "denominator-not-rescaled accumulator-not-rescaled"),
    "not-normalised": (Fault(end="never"), "softmax-missing"),
    "tail-dropped": (Fault(tail="dropped"), "tail-dropped"),
    "tail-padded": (Fault(tail="padded"), "tail-not-masked"),
    "tail-padded-sum": (Fault(tail="padded-sum"), "tail-not-masked"),
    "tail-repeated": (Fault(tail="repeated"), "tail-not-masked"),
    "rows-dropped": (Fault(rows="dropped"), "tail-dropped"),
    "both-tails-dropped": (Fault(tail="dropped", rows="dropped"), "tail-dropped"),
}
"""Name → what goes wrong, and the codes that are right names of it."""


def attend(logits: Array, value: Array, keys: int, rows: int, fault: Fault) -> tuple[Array, Array, Array]:
    """The loop over tiles of ``keys`` keys; ``rows`` queries make a tile of the outer loop.

    Args:
        logits: ``(..., Sq, Sk)``, scaled, ``-inf`` where hidden.
        value: ``(..., Sk, Dv)``.

    Returns:
        The output, the maximum ``(..., Sq)`` and the sum ``(..., Sq)`` as they are after the loop.
    """
    length = logits.shape[-1]
    if fault.tail:
        logits, value = _tail(logits, value, keys, fault.tail)
    m = np.full((*logits.shape[:-1], 1), -np.inf)
    total = np.zeros_like(m)
    out = np.zeros((*logits.shape[:-1], value.shape[-1]))
    tiles = range(0, logits.shape[-1], keys)
    with np.errstate(all="ignore"):
        for start in tiles:
            s, v = logits[..., start : start + keys], value[..., start : start + keys, :]
            here = s.max(-1, keepdims=True)
            new = here if fault.peak else np.maximum(m, here)
            safe, tile = (np.where(np.isfinite(x), x, 0.0) for x in (new, here))
            old = np.where(np.isfinite(m), m, safe)
            p = np.exp(s - safe)
            own = np.exp(s - tile)
            mine = p.sum(-1, keepdims=True)
            if fault.tail == "padded-sum" and start + keys > length:
                mine = mine + (start + keys - length) * np.exp(-safe)
            grow_sum = FACTORS[fault.total](old, safe, tile)
            grow_out = FACTORS[fault.output](old, safe, tile)
            if fault.peak == "tile":
                grow_sum, grow_out = np.ones_like(m), np.ones_like(m)
            total = _summed(
                total, own.sum(-1, keepdims=True) if fault.total == "tile-terms" else mine, grow_sum, fault.total
            )
            part = (own if fault.output == "tile-terms" else p) @ v
            if fault.end == "running":
                out = (out * grow_out + part) / total
            elif fault.end in ("each", "tile-sum", "tile-mean"):
                out = out * (grow_out if fault.end == "each" else 1.0) + part / mine
            else:
                out = _summed(out, part, grow_out, fault.output)
            m = new
        if not fault.end:
            out = np.divide(out, total, out=np.zeros_like(out), where=total != 0)
        elif fault.end == "tile-mean":
            out = out / max(1, len(tiles))
    if fault.rows:
        whole = out.shape[-2] // rows * rows or out.shape[-2]
        out[..., whole:, :], m[..., whole:, :], total[..., whole:, :] = 0.0, 0.0, 1.0
    return out, m[..., 0], total[..., 0]


def _summed(before: Array, part: Array, factor: Array, kind: str) -> Array:
    return (before + part) * factor if kind == "late" else before * factor + part


def _tail(logits: Array, value: Array, keys: int, kind: str) -> tuple[Array, Array]:
    length = logits.shape[-1]
    extra = -length % keys
    if not extra:
        return logits, value
    if kind == "dropped":
        whole = length - length % keys or length
        return logits[..., :whole], value[..., :whole, :]
    if kind == "padded":
        logits = np.concatenate([logits, np.zeros((*logits.shape[:-1], extra))], -1)
        return logits, np.concatenate([value, np.zeros((*value.shape[:-2], extra, value.shape[-1]))], -2)
    if kind == "repeated":
        if length < keys:
            return logits, value
        order = [*range(length - length % keys), *range(length - keys, length)]
        return logits[..., order], value[..., order, :]
    return logits, value


LSE: Mapping[str, Callable[[Array, Array, float], Array]] = {
    "": lambda m, total, scale: m + np.log(total),
    "maximum": lambda m, total, scale: m,
    "log-of-sum": lambda m, total, scale: np.log(total),
    "sum": lambda m, total, scale: total,
    "maximum-plus-sum": lambda m, total, scale: m + total,
    "maximum-times": lambda m, total, scale: m * np.log(total),
    "subtracted": lambda m, total, scale: np.log(total) - m,
    "log-subtracted": lambda m, total, scale: m - np.log(total),
    "negated": lambda m, total, scale: -m - np.log(total),
    "base-two": lambda m, total, scale: (m + np.log(total)) / _LN2,
    "half-base-two": lambda m, total, scale: m + np.log2(total),
    "half-base-e": lambda m, total, scale: m / _LN2 + np.log(total),
    "times-ln2": lambda m, total, scale: (m + np.log(total)) * _LN2,
    "unscaled-maximum": lambda m, total, scale: m / scale + np.log(total),
    "unscaled": lambda m, total, scale: (m + np.log(total)) / scale,
    "scaled-again": lambda m, total, scale: m * scale + np.log(total),
    "all-scaled-again": lambda m, total, scale: (m + np.log(total)) * scale,
    "exponential": lambda m, total, scale: total * np.exp(m),
    "log-one-plus": lambda m, total, scale: m + np.log1p(total),
    "base-ten": lambda m, total, scale: m + np.log10(total),
}
"""What comes back for the log-sum-exp: of the maximum, the sum and the scale."""
