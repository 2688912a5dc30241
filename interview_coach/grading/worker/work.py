"""Floating-point operations of a call on numpy arrays, counted product by product; without any, element by element.

The arguments are handed over as :class:`Counted` arrays, a subclass that sees each ufunc and each function of numpy
that gets one of them; what comes out is one again. Nothing else changes.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

_CONTRACTIONS = frozenset({"dot", "inner", "vdot", "tensordot"})
_REDUCTIONS = frozenset({"sum", "mean", "max", "min", "amax", "amin", "prod", "cumsum", "var", "std"})
_flops = _by_element = 0


class Counted(np.ndarray[Any, Any]):
    """An array whose products with others are counted."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        plain = [_plain(x) for x in inputs]
        out = kwargs.get("out")
        if out is not None:
            kwargs["out"] = tuple(_plain(x) for x in out)
        result = getattr(ufunc, method)(*plain, **_plain(kwargs))
        if ufunc is np.matmul and method == "__call__":
            _count(2 * int(np.size(result)) * int(np.shape(plain[0])[-1]))
        else:
            _count_elements(*plain, result)
        return _counted(result) if out is None or result is NotImplemented else out[0] if len(out) == 1 else out

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        plain_args, plain_kwargs = _plain(args), _plain(kwargs)
        result = func(*plain_args, **plain_kwargs)
        name = getattr(func, "__name__", "")
        if name in _CONTRACTIONS:
            sizes = [float(np.size(x)) for x in plain_args[:2]]
            _count(2 * int(np.size(result) * math.sqrt(math.prod(sizes) / max(1, np.size(result)))))
        elif name == "einsum" and plain_args and isinstance(plain_args[0], str):
            _count(_einsum(plain_args[0], [np.shape(x) for x in plain_args[1:]]))
        elif name in _REDUCTIONS:
            _count_elements(*plain_args[:1])
        return _counted(result)


def _einsum(subscripts: str, shapes: list[tuple[int, ...]]) -> int:
    """One multiplication and one addition for each combination of indices; none for a single operand."""
    if len(shapes) < 2:
        return 0
    sizes: dict[str, int] = {}
    terms = subscripts.replace(" ", "").partition("->")[0].split(",")
    for term, shape in zip(terms, shapes, strict=False):
        before, dots, after = term.partition("...")
        extra = len(shape) - len(before) - len(after)
        labels = [*before, *(f"...{i - extra}" for i in range(extra)), *after] if dots else list(term)
        for label, size in zip(labels, shape, strict=False):
            sizes[label] = max(size, sizes.get(label, 1))
    return 2 * (len(shapes) - 1) * math.prod(sizes.values())


def _count(flops: int) -> None:
    global _flops  # noqa: PLW0603 - one call at a time
    _flops += flops


def _count_elements(*arrays: Any) -> None:
    """One operation for each element of the largest floating array."""
    global _by_element  # noqa: PLW0603 - one call at a time
    _by_element += max((int(np.size(x)) for x in arrays if getattr(x, "dtype", np.dtype(bool)).kind == "f"), default=0)


def _plain(value: Any) -> Any:
    if isinstance(value, Counted):
        return value.view(np.ndarray)
    if isinstance(value, list | tuple):
        return type(value)(map(_plain, value)) if type(value) in (list, tuple) else value
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _counted(value: Any) -> Any:
    if type(value) is np.ndarray:
        return value.view(Counted)
    if type(value) in (list, tuple):
        return type(value)(map(_counted, value))
    return value


class WorkMeter:
    """Counts from when it is made; its arrays are to be handed over."""

    def __init__(self) -> None:
        global _flops, _by_element  # noqa: PLW0603 - one call at a time
        _flops = _by_element = 0

    def handed_over(self, value: Any) -> Any:
        """Arguments whose arrays are counted."""
        if isinstance(value, dict):
            return {key: self.handed_over(item) for key, item in value.items()}
        return _counted(value)

    def cost(self) -> dict[str, int]:
        """The counts, as fields of ``Cost``."""
        return {"flops": _flops or _by_element, "peak_bytes": 0, "largest_bytes": 0}
