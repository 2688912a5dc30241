"""Triton's interpreter with bounds: which argument a pointer came from is kept, so that no access can stray from it.

The interpreter computes with bare addresses: a load beyond the end of a buffer returns whatever lies there, and a store
destroys it. Here the upper 16 bits of an address, which no process uses, hold the number of the argument that it was
made from; arithmetic on pointers carries them along. A load that strays gives NaN (integers: the largest), a store that
strays is left out, and both are told.
"""

from __future__ import annotations

import importlib
import inspect
import math
import sys
import traceback
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np

from interview_coach.grading.worker import triton_libdevice
from interview_coach.grading.worker.faults import Fault

SHIFT = 48
_ADDRESS = (1 << SHIFT) - 1
_MOST_STRAYS = 20


class Checked:
    """The interpreter's memory as a submission's kernels see it, and what they did to it since :meth:`report`."""

    def __init__(self, filename: str) -> None:
        self._filename = filename
        self._interpreter: Any = importlib.import_module("triton.runtime.interpreter")
        self._names: dict[int, str] = {}
        self._spans: list[tuple[int, int, str]] = []
        self._strays: dict[tuple[str, str], dict[str, Any]] = {}
        self._launches: list[str] = []
        self._programs: list[int] = []
        self._flops = 0

    def install(self) -> None:
        """Put the checks in place, for as long as the process lives."""
        interpreter = self._interpreter
        builder = interpreter.InterpreterBuilder
        native = interpreter._interpreter
        convert = interpreter._implicit_cvt

        def tagged(arg: Any) -> Any:
            made = convert(arg)
            if hasattr(arg, "data_ptr"):
                made.handle.data = made.handle.data | np.uint64(self._tag(arg) << SHIFT)
            return made

        def load(_: Any, ptrs: Any, mask: Any, other: Any, *policy: Any, **more: Any) -> Any:
            dtype = ptrs.get_element_ty()
            kind = interpreter._get_np_dtype(dtype)
            if other is None:
                other = interpreter.TensorHandle(np.zeros_like(ptrs.data, dtype=kind), dtype)
            addresses, valid, outside = self._resolve("load", ptrs, mask)
            found = native.load(addresses, valid, other.data, kind)
            if outside is not None:
                found = np.where(outside, _poison(dtype, kind), found).astype(kind)
            return interpreter.TensorHandle(found, dtype)

        def store(_: Any, ptrs: Any, value: Any, mask: Any, *policy: Any, **more: Any) -> Any:
            addresses, valid, _outside = self._resolve("store", ptrs, mask)
            return native.store(addresses, value.data, valid)

        dot = builder.create_dot

        def counted_dot(own: Any, left: Any, right: Any, *rest: Any) -> Any:
            self._flops += 2 * left.data.size * right.data.shape[-1]
            return dot(own, left, right, *rest)

        atomic_rmw, atomic_cas = builder.create_atomic_rmw, builder.create_atomic_cas

        def checked_rmw(own: Any, op: Any, ptr: Any, value: Any, mask: Any, *rest: Any) -> Any:
            addresses, valid, _outside = self._resolve("store", ptr, mask)
            handle = interpreter.TensorHandle
            return atomic_rmw(
                own, op, handle(addresses, ptr.dtype), value, handle(valid, mask.dtype), *rest
            )  # fmt: skip

        def checked_cas(own: Any, ptr: Any, *rest: Any) -> Any:
            everywhere = interpreter.TensorHandle(np.ones_like(ptr.data, dtype=bool), ptr.dtype)
            addresses, valid, _outside = self._resolve("store", ptr, everywhere)
            if not valid.all():
                raise IndexError("an atomic exchange outside its buffer")
            return atomic_cas(own, interpreter.TensorHandle(addresses, ptr.dtype), *rest)

        _speak_once(interpreter)
        # Checks of each sum of integers for overflow take a third of the time.
        interpreter.interpreter_builder.options = interpreter.InterpreterOptions(sanitize_overflow=False)
        interpreter._implicit_cvt = tagged
        builder.create_masked_load, builder.create_masked_store = load, store
        builder.create_dot = counted_dot
        builder.create_atomic_rmw, builder.create_atomic_cas = checked_rmw, checked_cas
        triton_libdevice.install(interpreter)
        _take_the_first_configuration()
        self._watch_launches()

    def _watch_launches(self) -> None:
        interpreter = self._interpreter
        executor = interpreter.GridExecutor
        launch = executor.__call__
        builder = interpreter.interpreter_builder
        set_dimensions = builder.set_grid_dim

        def counted(*sizes: int) -> None:
            self._programs.append(math.prod(sizes))
            set_dimensions(*sizes)

        builder.set_grid_dim = counted

        def launched(grid: Any, *args: Any, **kwargs: Any) -> Any:
            self._spans.clear()
            self._names = _names(grid.fn, args, kwargs)
            if grid.fn.__code__.co_filename == self._filename:
                self._launches.append(grid.fn.__name__)
            try:
                with np.errstate(all="ignore"), warnings.catch_warnings():
                    warnings.simplefilter("ignore", RuntimeWarning)
                    return launch(grid, *args, **kwargs)
            except interpreter.InterpreterError as error:
                raise self._told(_innermost(error, interpreter.InterpreterError)) from None

        executor.__call__ = launched

    def _told(self, error: BaseException) -> BaseException:
        """What a kernel raised; where it is the interpreter that cannot do something, this is said."""
        lacks = isinstance(error, NotImplementedError) or "'InterpreterBuilder' object has no attribute" in str(error)
        if not lacks:
            return error
        if "have been removed" in str(error):
            version = str(importlib.import_module("triton").__version__)
            return Fault("triton-removed", type(error).__name__, self._line_of(error), version=version, what=str(error))
        what = str(error).rpartition("has no attribute ")[2].removesuffix(" not supported in interpreter mode")
        return Fault("interpreter-lacks", type(error).__name__, self._line_of(error), what=what.strip("'"))

    def _line_of(self, error: BaseException) -> int | None:
        frames = (
            n for frame, n in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == self._filename
        )
        return next(frames, None)

    def _tag(self, tensor: Any) -> int:
        """The number of the buffer that a tensor lies in, beginning with 1."""
        storage = self._interpreter._unwrap_tensor(tensor).untyped_storage()
        start = storage.data_ptr()
        self._spans.append((start, start + storage.nbytes(), self._names.get(tensor.data_ptr(), "?")))
        return len(self._spans)

    def _resolve(self, access: str, ptrs: Any, mask: Any) -> tuple[Any, Any, Any]:
        """Addresses without their tags, where access is allowed, and where it would be outside (None: nowhere)."""
        data = ptrs.data
        tags = data >> np.uint64(SHIFT)
        addresses = data & np.uint64(_ADDRESS)
        wanted = np.broadcast_to(mask.data, data.shape).astype(bool)
        size = np.dtype(self._interpreter._get_np_dtype(ptrs.get_element_ty())).itemsize
        outside = np.zeros(data.shape, bool)
        first = tags.flat[0]
        for tag in (first,) if (tags == first).all() else np.unique(tags):
            if not 1 <= tag <= len(self._spans):
                continue
            start, end, name = self._spans[int(tag) - 1]
            here = wanted & (tags == tag) & ((addresses < start) | (addresses + np.uint64(size) > end))
            if here.any():
                outside |= here
                self._note(access, name, int(here.sum()))
        if not outside.any():
            return addresses, wanted, None
        return addresses, wanted & ~outside, outside

    def _note(self, access: str, name: str, count: int) -> None:
        key = access, name
        if key not in self._strays and len(self._strays) < _MOST_STRAYS:
            self._strays[key] = {"access": access, "argument": name, "count": 0, "line": self._line()}
        if key in self._strays:
            self._strays[key]["count"] += count

    def _line(self) -> int | None:
        frame: Any = sys._getframe()
        while frame is not None:
            if frame.f_code.co_filename == self._filename:
                line: int = frame.f_lineno
                return line
            frame = frame.f_back
        return None

    def report(self) -> dict[str, Any]:
        """Own kernels launched, operations of products and accesses outside of buffers, since the last report."""
        found = {
            "launches": self._launches[:100],
            "programs": min(self._programs, default=0),
            "strays": list(self._strays.values()),
            "flops": self._flops,
        }
        self._launches, self._programs, self._strays, self._flops = [], [], {}, 0
        return found


def _speak_once(interpreter: Any) -> None:
    """Put the interpreter's own version of the language in place once, instead of around each call of each helper."""
    language = importlib.import_module("triton.language")
    everywhere = SimpleNamespace(__globals__={"language": language, "core": language.core})
    interpreter._patch_lang(everywhere)
    interpreter._patch_lang = lambda function: SimpleNamespace(restore=lambda: None)


def _take_the_first_configuration() -> None:
    """Of an autotuner: no timing means anything here, and each trial is a whole launch."""
    autotuner = importlib.import_module("triton.runtime.autotuner").Autotuner
    prune = autotuner.prune_configs

    def first(self: Any, *args: Any, **kwargs: Any) -> Any:
        return prune(self, *args, **kwargs)[:1]

    autotuner.prune_configs = first


def _names(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[int, str]:
    """Names of the kernel's parameters by the addresses that they are given."""
    known = inspect.signature(function).parameters
    bound = {**dict(zip(known, args, strict=False)), **kwargs}
    return {value.data_ptr(): name for name, value in bound.items() if hasattr(value, "data_ptr")}


def _innermost(error: BaseException, wrapper: type) -> BaseException:
    """What an interpreter's error was raised from: the exception that the kernel's own line raised."""
    while isinstance(error, wrapper) and error.__cause__ is not None:
        error = error.__cause__
    return error


def _poison(dtype: Any, kind: Any) -> Any:
    """What a stray load gives: NaN, as the bits of a type that numpy holds as integers; the largest integer."""
    if dtype.name == "bf16":
        return np.uint16(0x7FC0)
    if np.dtype(kind).kind == "f":
        return np.asarray(np.nan, kind)
    return np.asarray(True) if np.dtype(kind).kind == "b" else np.asarray(np.iinfo(kind).max, kind)
