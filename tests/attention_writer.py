"""Numpy attentions, written out: any axis order, kind of mask and grouping, right or with one fault.

They share nothing with the oracles and the families of the package: products are spelled by letters or by transposes,
the softmax is spelled out, and a fault is another line of text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

AXES = {"BHSD": "bh{s}{d}", "BSHD": "b{s}h{d}", "SBHD": "{s}bh{d}", "BSC": "b{s}{d}", "SHD": "{s}h{d}", "SC": "{s}{d}"}
"""The letters of each layout that is drawn, in its order; the name is the grader's."""

MASKS: Mapping[str, tuple[str, ...]] = {
    "none": (),
    "keep": ("scores = np.where({mask}, scores, -np.inf)",),
    "drop": ("scores = np.where(~{mask}, scores, -np.inf)",),
    "additive": ("scores = scores + {mask}",),
    "lengths": (
        "seen = np.arange(scores.shape[-1]) < {mask}.reshape((-1,) + (1,) * (scores.ndim - 1))",
        "scores = np.where(seen, scores, -np.inf)",
    ),
}
MEANING = {
    "keep": "True = may attend.",
    "drop": "True = masked out.",
    "additive": "added to the scores, 0 or -inf.",
    "lengths": "the number of keys of each batch entry.",
}

SCALE_FAULTS = {
    "missing-scale": "1.0",
    "scale-by-d": "{d}",
    "scale-by-log-d": "np.log({d})",
    "scale-inverted": "(1.0 / np.sqrt({d}))",
    "scale-from-length": "np.sqrt(scores.shape[-1])",
}
SOFTMAX_FAULTS: Mapping[str, tuple[str, ...]] = {
    "softmax-wrong-axis": (),
    "double-softmax": (
        "weights = np.exp(weights - weights.max(-1, keepdims=True))",
        "weights = weights / weights.sum(-1, keepdims=True)",
    ),
    "base-two-exponent": (),
    "scale-after-softmax": ("weights = weights / np.sqrt({d})",),
}
MASK_FAULTS = {
    "mask-ignored": ("np.where(mask, scores, scores)",),
    "mask-fill-weak": ("scores = np.where({keep}, scores, -10.0)",),
    "mask-filled-with-zero": ("scores = np.where({keep}, scores, 0.0)",),
    "mask-fill-positive": ("scores = np.where({keep}, scores, 1e9)",),
}
CAUSAL_FAULTS = {
    "causal-leaks-next": "j <= i + offset + 1",
    "causal-hides-self": "j < i + offset",
    "causal-reversed": "j >= i + offset",
    "causal-top-left": "j <= i",
}


@dataclass(frozen=True)
class Convention:
    """How an attention is called, and what it is asked to compute.

    Attributes:
        layout: A key of :data:`AXES`.
        mask: A key of :data:`MASKS`.
        causal: Keys after a query are hidden, aligned to the bottom right.
        grouped: Keys and values have fewer heads than queries.
        letters: Products are written with ``einsum``; else axes are moved, and ``@`` multiplies.
    """

    layout: str
    mask: str = "none"
    causal: bool = False
    grouped: bool = False
    letters: bool = True

    @property
    def name(self) -> str:
        """What its function is called."""
        return "gqa" if self.grouped else "causal_attention" if self.causal else "attention"

    @property
    def argument(self) -> str:
        """What its mask is called."""
        return "lengths" if self.mask == "lengths" else "mask"

    def faults(self) -> tuple[str, ...]:
        """The codes of the faults that :func:`written` can plant in it."""
        found = [*SCALE_FAULTS, *SOFTMAX_FAULTS]
        if self.mask in ("keep", "drop"):
            found += MASK_FAULTS
        if self.causal:
            found += CAUSAL_FAULTS
            found.remove("softmax-wrong-axis")  # which also empties columns: people guard that in several ways
        if self.grouped:
            found.append("gqa-tiled-heads")
        return tuple(found)


def written(convention: Convention, fault: str | None = None) -> str:
    """The source of a function that computes attention in a convention, with at most one fault, named by its code."""
    lines = [] if convention.mask == "none" else [f'"""{convention.argument}: {MEANING[convention.mask]}"""']
    if convention.grouped:
        lines += _repeated(convention, "tile" if fault == "gqa-tiled-heads" else "repeat")
    query, key, scores, out = _letters(convention.layout)
    if convention.letters:
        lines.append(f'scores = np.einsum("{query},{key}->{scores}", q, k)')
    else:
        order = _moved(convention.layout)
        lines += [f"{x} = {x}.transpose({order})" for x in "qkv"] if order else []
        lines.append("scores = q @ k.swapaxes(-1, -2)")
    dim = "q.shape[-1]"
    root = SCALE_FAULTS.get(fault or "", "1.0" if fault == "scale-after-softmax" else "np.sqrt({d})").format(d=dim)
    lines.append(f"scores = scores / {root}")
    lines += _masked(convention, fault)
    lines += _softmax(fault, dim)
    if convention.letters:
        lines.append(f'return np.einsum("{scores},{key}->{out}", weights, v)')
    else:
        order = _moved(convention.layout)
        back = ", ".join(str(order.index(n)) for n in range(len(order)))
        lines.append("return " + (f"(weights @ v).transpose({back})" if order else "weights @ v"))
    arguments = "q, k, v" if convention.mask == "none" else f"q, k, v, {convention.argument}"
    return "\n".join(
        ["import numpy as np", "", "", f"def {convention.name}({arguments}):", *(f"    {line}" for line in lines), ""]
    )


def _letters(layout: str) -> tuple[str, str, str, str]:
    """The letters of queries, of keys (and values), of scores and of the output."""
    axes = AXES[layout]
    scores = "".join(letter for letter in "bh" if letter in axes) + "qk"
    return axes.format(s="q", d="d"), axes.format(s="k", d="d"), scores, axes.format(s="q", d="d")


def _moved(layout: str) -> tuple[int, ...]:
    """How axes move so that length and channels come last; empty where they do already."""
    axes = AXES[layout].format(s="s", d="d")
    order = tuple(axes.index(letter) for letter in "bhsd" if letter in axes)
    return () if order == tuple(range(len(order))) else order


def _repeated(convention: Convention, how: str) -> list[str]:
    """Keys and values get as many heads as the queries."""
    axes = AXES[convention.layout].format(s="s", d="d")
    at = axes.index("h")
    lines = [f"group = q.shape[{at}] // k.shape[{at}]"]
    if how == "repeat":
        return [*lines, *(f"{x} = np.repeat({x}, group, axis={at})" for x in "kv")]
    times = ", ".join("group" if letter == "h" else "1" for letter in axes)
    return [*lines, *(f"{x} = np.tile({x}, ({times}))" for x in "kv")]


def _masked(convention: Convention, fault: str | None) -> list[str]:
    lines = []
    if fault in MASK_FAULTS:
        keep = "mask" if convention.mask == "keep" else "~mask"
        lines += [line.format(keep=keep) for line in MASK_FAULTS[fault]]
    else:
        lines += [line.format(mask=convention.argument) for line in MASKS[convention.mask]]
    if convention.causal:
        rule = CAUSAL_FAULTS.get(fault or "", "j <= i + offset")
        lines += [
            "i, j = np.arange(scores.shape[-2])[:, None], np.arange(scores.shape[-1])",
            "offset = scores.shape[-1] - scores.shape[-2]",
            f"scores = np.where({rule}, scores, -np.inf)",
        ]
    return lines


def _softmax(fault: str | None, dim: str) -> list[str]:
    axis, exp = ("-2" if fault == "softmax-wrong-axis" else "-1"), ("exp2" if fault == "base-two-exponent" else "exp")
    return [
        f"peak = scores.max({axis}, keepdims=True)",
        f"weights = np.{exp}(scores - np.where(np.isfinite(peak), peak, 0.0))",
        f"total = weights.sum({axis}, keepdims=True)",
        "weights = weights / np.where(total > 0, total, 1.0)",
        *(line.format(d=dim) for line in SOFTMAX_FAULTS.get(fault or "", ())),
    ]
