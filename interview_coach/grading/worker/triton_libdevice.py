"""CUDA's library of device functions for Triton's interpreter, which has none: those that attention may use."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "ceil": np.ceil,
    "cos": np.cos,
    "div_rn": np.divide,
    "exp": np.exp,
    "exp10": lambda x: np.power(x.dtype.type(10), x),
    "exp2": np.exp2,
    "expm1": np.expm1,
    "fast_dividef": np.divide,
    "fast_expf": np.exp,
    "fast_exp10f": lambda x: np.power(x.dtype.type(10), x),
    "fast_log2f": np.log2,
    "fast_logf": np.log,
    "fast_powf": np.power,
    "fast_tanhf": np.tanh,
    "floor": np.floor,
    "fma": lambda x, y, z: x * y + z,
    "fmax": np.fmax,
    "fmin": np.fmin,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "pow": np.power,
    "rcp_rn": np.reciprocal,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "rsqrt_rn": lambda x: 1 / np.sqrt(x),
    "sin": np.sin,
    "sqrt": np.sqrt,
    "sqrt_rn": np.sqrt,
    "tanh": np.tanh,
}


def install(interpreter: Any) -> None:
    """Replace the functions of both modules that submissions import them from; others raise, and say their name."""
    for module in ("triton.language.extra.libdevice", "triton.language.extra.cuda.libdevice"):
        try:
            library = importlib.import_module(module)
        except ImportError:
            continue
        for name, value in list(vars(library).items()):
            if callable(value) and not name.startswith("_") and not isinstance(value, type):
                setattr(library, name, _interpreted(interpreter, name))


def _interpreted(interpreter: Any, name: str) -> Callable[..., Any]:
    language = importlib.import_module("triton.language")
    function = _FUNCTIONS.get(name)

    def call(*args: Any, **_: Any) -> Any:
        if function is None:
            raise NotImplementedError(f"libdevice.{name}")
        tensors = [interpreter.interpreter_semantic.to_tensor(arg) for arg in args]
        first = tensors[0]
        data = np.asarray(function(*(t.handle.data for t in tensors))).astype(first.handle.data.dtype)
        return language.tensor(interpreter.TensorHandle(data, first.handle.dtype), first.type)

    return call
