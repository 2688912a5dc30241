"""Results of one number a query: the log-sum-exp, or the maximum and the sum that it is made of.

They come back beside the output in many ways: ``(out, lse)``, ``(out, l, m)``, nested, by name; with the axes in any
order, with axes of size 1 more, with batch and heads in one.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from interview_coach.grading.functions.task import Array, Dims
from interview_coach.grading.numbers import real
from interview_coach.grading.protocol import Tensor

FORMS = ("lse", "l, m", "m, l")
"""What the arrays after the output may be, the likeliest first."""
_MAXIMUM, _SUM = r"m(ax\w*)?|rowmax|peak|maxima?", r"l|row_?sum|sum\w*|denom\w*|normali\w+|z"


def parts(value: Any, name: str = "") -> Iterator[tuple[str, Tensor]]:
    """All arrays of a result, in order, with the names that mappings give them."""
    if isinstance(value, Tensor):
        yield name, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from parts(item, str(key))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from parts(item, name)


def split(value: Any, rows: int) -> tuple[Tensor, list[tuple[str, Tensor]]] | None:
    """The output, and the arrays after it that have ``rows`` entries; ``None`` for a result without arrays."""
    found = list(parts(value))
    if not found:
        return None
    first = next((i for i, (name, _) in enumerate(found) if re.match(r"o(ut\w*)?$", name.lower())), 0)
    rest = [part for i, part in enumerate(found) if i != first and part[1].data.size == rows]
    return found[first][1], rest


def forms(rest: list[tuple[str, Tensor]]) -> tuple[str, ...]:
    """What the arrays after the output may mean; by their names where they have any."""
    if not rest:
        return ()
    if len(rest) == 1:
        return FORMS[:1]
    names = [name.lower() for name, _ in rest]
    if re.fullmatch(_MAXIMUM, names[0]) and re.fullmatch(_SUM, names[1]):
        return FORMS[2:]
    if re.fullmatch(_SUM, names[0]) and re.fullmatch(_MAXIMUM, names[1]):
        return FORMS[1:2]
    return FORMS


def log_sum_exp(rest: list[tuple[str, Tensor]], form: str) -> tuple[Tensor, Array]:
    """The array that came back first, and the log-sum-exp that it, or it and the next, stand for."""
    first = real(rest[0][1].data)
    if form == "lse":
        named = next((t for name, t in rest if "lse" in name.lower() or "log" in name.lower()), rest[0][1])
        return named, real(named.data)
    second = real(rest[1][1].data)
    total, peak = (first, second) if form == "l, m" else (second, first)
    with np.errstate(all="ignore"):
        joined: Array = peak.reshape(-1) + np.log(total.reshape(-1))
    return rest[0][1], joined.reshape(first.shape)


def order_of(shape: tuple[int, ...], letters: str, dims: Dims) -> str | None:
    """In which order the axes come; those of size 1 may be left out or added, the first two be one."""
    sizes = tuple(s for s in shape if s != 1)
    for order in map("".join, itertools.permutations(letters)):
        full = [dims[a] for a in order]
        merged = [full[0] * full[1], *full[2:]] if len(full) > 2 else full
        for candidate in (full, merged):
            if sizes == tuple(s for s in candidate if s != 1):
                return order
    return None


def in_order(array: Array, letters: str, order: str, dims: Dims) -> Array | None:
    """The array with its axes as ``letters``, or ``None`` where its size is another."""
    shape = [dims[a] for a in order]
    if array.size != int(np.prod(shape)):
        return None
    return array.reshape(shape).transpose([order.index(a) for a in letters])
