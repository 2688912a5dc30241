"""Bytes alive and floating-point operations of a call, counted operator by operator: no timing, no noise.

Operations are those of products, as usual; a call without any, such as a rotation, has one for each element of each
pointwise operation and reduction.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

_aten = torch.ops.aten


def _matmul(left: torch.Tensor, right: torch.Tensor) -> int:
    return 2 * math.prod(left.shape) * right.shape[-1]


_FLOPS: dict[Any, Callable[..., int]] = {
    _aten.mm: _matmul,
    _aten.bmm: _matmul,
    _aten.addmm: lambda bias, left, right: _matmul(left, right),
    _aten.baddbmm: lambda bias, left, right: _matmul(left, right),
    _aten.mv: lambda matrix, vector: 2 * math.prod(matrix.shape),
    _aten.dot: lambda left, right: 2 * left.numel(),
}


_COPIES = frozenset({_aten.clone, _aten.copy_, _aten.fill_, _aten.zero_})
_UNTAGGED = frozenset({_aten._softmax, _aten._log_softmax, _aten.cumsum})


@cache
def _by_element(func: Any) -> bool:
    """Whether an operator computes something for each element, or sums elements up."""
    if func.overloadpacket in _COPIES:
        return False
    return func.overloadpacket in _UNTAGGED or bool({torch.Tag.pointwise, torch.Tag.reduction} & set(func.tags))


def _elements(*values: Any) -> int:
    """Of the largest floating tensor."""
    return max((x.numel() for x in values if isinstance(x, torch.Tensor) and x.is_floating_point()), default=0)


class TorchMeter(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Counts each storage once, from the operator that made it to the end of its last tensor."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._alive = self._peak = self._largest = self.products = self._by_element = 0
        self._references: dict[int, Any] = {}

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        # To be excluded from the compiler, it would be imported first, which takes seconds.
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        # What was there before is not the call's: arguments, and views of them.
        self._note_all((args, kwargs), counted=False)
        result = func(*args, **(kwargs or {}))
        count = _FLOPS.get(func.overloadpacket)
        if count is not None:
            self.products += count(*args[: 3 if "add" in func.overloadpacket.__name__ else 2])
        elif not self.products and _by_element(func):
            self._by_element += _elements(*args, *(result if isinstance(result, tuple) else (result,)))
        self._note_all(result, counted=True)
        return result

    def _note_all(self, value: Any, counted: bool) -> None:
        if isinstance(value, torch.Tensor):
            self._note(value, counted)
        elif isinstance(value, list | tuple):
            for item in value:
                self._note_all(item, counted)
        elif isinstance(value, dict):
            for item in value.values():
                self._note_all(item, counted)

    def _note(self, tensor: torch.Tensor, counted: bool) -> None:
        try:
            storage = tensor.untyped_storage()
            size = storage.nbytes()
        except (RuntimeError, NotImplementedError):
            return
        key = storage._cdata
        if key in self._references:
            return
        self._references[key] = weakref.ref(storage, partial(self._forget, key, size if counted else 0))
        if counted:
            self._alive += size
            self._peak = max(self._peak, self._alive)
            self._largest = max(self._largest, size)

    def _forget(self, key: int, size: int, _: Any) -> None:
        self._alive -= size
        self._references.pop(key, None)

    def cost(self) -> dict[str, int]:
        """The counts, as fields of ``Cost``."""
        return {"flops": self.products or self._by_element, "peak_bytes": self._peak, "largest_bytes": self._largest}
