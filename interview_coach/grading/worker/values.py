"""Values of the wire as the submission sees them, and what it returns as values of the wire."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading import wire
from interview_coach.grading.protocol import DTypeName, Record, Ref, Tensor, Value
from interview_coach.grading.worker.faults import Fault

_MAX_DEPTH = 12
_MAX_ITEMS = 200_000
_MAX_TEXT = 10_000


class Config(Mapping[str, Any]):
    """A :class:`Record` on this side: fields by attribute and by key."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.__dict__.update(fields)

    def __getitem__(self, key: str) -> Any:
        return self.__dict__[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dict__)

    def __len__(self) -> int:
        return len(self.__dict__)


_device = "cpu"


def use_device(name: str) -> None:
    """Make tensors and modules on a device from now on."""
    global _device  # noqa: PLW0603 - one submission a process
    _device = name


def processor_time() -> float:
    """Processor seconds of this process; 0 where a GPU does the work, which takes none."""
    return time.process_time() if _device == "cpu" else 0.0


def synchronize() -> None:
    """Wait for the GPU, if that is where it runs: a call is over, or has failed, when its kernels are."""
    if _device != "cpu":
        sys.modules["torch"].cuda.synchronize()


class Arguments:
    """The arguments of one call, and how their arrays were before it."""

    def __init__(self, decoder: wire.Decoder, header: dict[str, Any], resolve: Callable[[Ref], Any]) -> None:
        self._resolve = resolve
        self._torch = header["framework"] == "torch"
        self._arrays: list[tuple[str, Any, Array]] = []
        self.differentiable: list[Any] = []
        self.args = [self._convert(decoder.decode(form), str(i)) for i, form in enumerate(header["args"])]
        self.kwargs = {name: self._convert(decoder.decode(form), name) for name, form in header["kwargs"]}

    def _convert(self, value: Value, label: str) -> Any:
        if isinstance(value, Tensor):
            return self._array(value, label)
        if isinstance(value, Ref):
            return self._resolve(value)
        if isinstance(value, DTypeName):
            return getattr(sys.modules["torch"] if self._torch else np, value.name)
        if isinstance(value, Record):
            return Config({name: self._convert(item, label) for name, item in value.fields.items()})
        if isinstance(value, list | tuple):
            return type(value)(self._convert(item, label) for item in value)
        if isinstance(value, dict):
            return {key: self._convert(item, label) for key, item in value.items()}
        return value

    def _array(self, tensor: Tensor, label: str) -> Any:
        array: Any
        if self._torch:
            from interview_coach.grading.worker import tensors

            array = tensors.create(tensor, _device)
            if tensor.requires_grad:
                self.differentiable.append(array)
        else:
            array = _lay_out(tensor.data, tensor.memory)
        self._arrays.append((label, array, tensor.data))
        return array

    def mutated(self) -> list[str]:
        """Labels of the arguments whose arrays no longer hold the bytes that came in."""
        if self._torch and self._arrays:
            from interview_coach.grading.worker import tensors

            return list(dict.fromkeys(tensors.changed(self._arrays)))
        return list(dict.fromkeys(label for label, array, before in self._arrays if _changed(array, before)))

    def release(self) -> None:
        """Let go of what a failed call was given, but for the comparison."""
        self.differentiable.clear()


def _lay_out(data: Array, memory: str) -> Array:
    """A copy of ``data`` in the memory layout that was asked for."""
    if memory == "transposed" and data.ndim >= 2:
        return np.array(data.swapaxes(-1, -2), order="C").swapaxes(-1, -2)
    if memory == "split" and data.ndim >= 3:
        return np.array(data.swapaxes(-3, -2), order="C").swapaxes(-3, -2)
    if memory == "sliced" and data.ndim >= 1:
        filler: Any = np.nan if data.dtype.kind in "fc" else 1
        wide = np.full((*data.shape[:-1], 2 * data.shape[-1] + 1), filler, data.dtype)
        wide[..., 1::2] = data
        return wide[..., 1::2]
    return data.copy()


def _changed(array: Any, before: Array) -> bool:
    now = to_tensor(array)
    if now is None or now.data.shape != before.shape or now.data.dtype != before.dtype:
        return True
    return now.data.tobytes() != before.tobytes()


def to_tensor(value: Any) -> Tensor | None:
    """The bytes of an array or tensor, read without running a line of a subclass; None if it has none."""
    if isinstance(value, np.ndarray | np.generic):
        try:
            data = np.ascontiguousarray(np.asarray(value)).reshape(np.shape(np.asarray(value)))
        except Exception:  # an object that only claims to be an array
            return None
        if data.dtype.name not in wire.STORAGE or data.dtype.byteorder == ">":
            data = data.astype(data.dtype.newbyteorder("=")) if data.dtype.byteorder == ">" else data
        if data.dtype.name not in wire.STORAGE:
            return None
        return Tensor(data, data.dtype.name, framework="numpy", type_name=type(value).__name__)
    if "torch" in sys.modules and isinstance(value, sys.modules["torch"].Tensor):
        from interview_coach.grading.worker import tensors

        return tensors.read(value)
    return None


def encode_result(value: Any, encoder: wire.Encoder) -> Any:
    """The JSON form of what a submission returned. What is no array and no plain value is named by its type."""
    return _Result(encoder).encode(value, 0)


class _Result:
    def __init__(self, encoder: wire.Encoder) -> None:
        self._encoder = encoder
        self._items = 0

    def encode(self, value: Any, depth: int) -> Any:
        kind = type(value)
        self._items += 1
        if self._items > _MAX_ITEMS:
            raise Fault("unsendable", detail=f"more than {_MAX_ITEMS} items")
        if value is None or kind is bool or kind is float or (kind is int and abs(value) < 2**63):
            return value
        if kind is str:
            return value[:_MAX_TEXT]
        tensor = to_tensor(value)
        if tensor is not None:
            return self._encoder.tensor(tensor)
        if depth < _MAX_DEPTH:
            if isinstance(value, tuple | list):
                base: Any = tuple if isinstance(value, tuple) else list
                return {base.__name__: [self.encode(item, depth + 1) for item in base.__iter__(value)]}
            pairs = None
            if isinstance(value, dict):
                pairs = [(_key(key), item) for key, item in dict.items(value)]
            elif dataclasses.is_dataclass(kind):
                pairs = [(field.name, getattr(value, field.name, None)) for field in dataclasses.fields(kind)]
            if pairs is not None:
                return {"dict": [[key, self.encode(item, depth + 1)] for key, item in pairs]}
        return {"opaque": _type_name(value) + _why_unreadable(value)}


def _why_unreadable(value: Any) -> str:
    """What keeps a tensor from being read, in words."""
    torch = sys.modules.get("torch")
    if torch is None or type(value) is not torch.Tensor:
        return ""
    return " without values (meta)" if value.is_meta else f" of layout {value.layout}, dtype {value.dtype}"


def _key(key: Any) -> Any:
    return key if key is None or type(key) in (str, int, float, bool) else _type_name(key)


def _type_name(value: Any) -> str:
    kind = type(value)
    own = kind.__module__ in ("builtins", "submission")
    return kind.__qualname__ if own else f"{kind.__module__}.{kind.__qualname__}"


def item(value: Any, path: tuple[int | str, ...] | list[int | str]) -> Any:
    """The part of a structured result at ``path``: positions, keys or attribute names."""
    for step in path:
        try:
            value = getattr(value, step) if isinstance(step, str) and not isinstance(value, Mapping) else value[step]
        except (LookupError, TypeError, AttributeError):
            raise Fault("no-target", name=str(step)) from None
    return value


def to_eval(value: Any) -> None:
    """Put a torch module into evaluation mode, on the device of its inputs; leave anything else alone."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.nn.Module):
        value.eval()
        if _device != "cpu":
            value.to(_device)
