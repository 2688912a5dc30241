"""Torch tensors in and out of the wire, and gradients.

The base class's own methods are taken here, before any submission is loaded, and used with overrides switched off:
a subclass that lies about its contents is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch

from interview_coach.arrays import Array
from interview_coach.grading import wire
from interview_coach.grading.protocol import Tensor
from interview_coach.grading.worker.faults import Fault

_Base = torch._C.TensorBase
_as_subclass, _detach, _to, _contiguous = _Base.as_subclass, _Base.detach, _Base.to, _Base.contiguous
_numpy, _resolve_conj, _resolve_neg, _copy = _Base.numpy, _Base.resolve_conj, _Base.resolve_neg, _Base.copy_
_numel, _data_ptr = _Base.numel, _Base.data_ptr
_tensor_type, _from_numpy = torch.Tensor, torch.from_numpy
_strided, _cpu = torch.strided, torch.device("cpu")
# What torch.autograd.grad calls in the end. That function itself first imports sympy, a second on a slow machine.
_run_backward = torch.autograd.Variable._execution_engine.run_backward
_no_grad, _enable_grad = torch.no_grad, torch.enable_grad
_DTYPES: dict[str, torch.dtype] = {name: getattr(torch, name) for name in wire.STORAGE if hasattr(torch, name)}
_NAMES: dict[torch.dtype, str] = {dtype: name for name, dtype in _DTYPES.items()}
_WIDENED = {dtype: torch.float32 for dtype, name in _NAMES.items() if wire.STORAGE[name] != name}
_PYTHON_KEYS = torch._C.DispatchKeySet(torch._C.DispatchKey.Python).add(torch._C.DispatchKey.PythonTLSSnapshot)


def read(value: Any) -> Tensor | None:
    """The bytes of a tensor; None if it has none that can be read (sparse, meta, of an exotic dtype)."""
    with torch._C.DisableTorchFunction(), torch._C._ExcludeDispatchKeyGuard(_PYTHON_KEYS):
        return _read(value)


def changed(labelled: Iterable[tuple[str, Any, Array]]) -> list[str]:
    """Labels of the tensors that no longer hold the values they were made of."""
    found = []
    with torch._C.DisableTorchFunction(), torch._C._ExcludeDispatchKeyGuard(_PYTHON_KEYS):
        for label, value, before in labelled:
            now = _values(value)
            same = now is not None and now.shape == before.shape and now.dtype == before.dtype
            if not same or now is None or now.tobytes() != before.tobytes():
                found.append(label)
    return found


def _values(value: Any) -> Array | None:
    """What a tensor holds; None if that cannot be read."""
    if type(value) is _tensor_type:
        try:  # most are plain, and show their memory at once
            plain: Array = _numpy(_detach(value))
            return plain
        except (TypeError, RuntimeError):
            pass
    read = _read(value)
    return None if read is None else read.data


def _read(value: Any) -> Tensor | None:
    try:
        plain = _detach(value if type(value) is _tensor_type else _as_subclass(value, _tensor_type))
        dtype, device = plain.dtype, plain.device
        name = _NAMES.get(dtype)
        if name is None or plain.layout != _strided:
            return None
        if _numel(plain) and not _data_ptr(plain):
            # A wrapper without memory of its own: what it shows is made up when it is asked.
            return None
        if device != _cpu or dtype in _WIDENED:
            plain = _to(plain, "cpu", _WIDENED.get(dtype, dtype))
        data = _numpy(_contiguous(_resolve_neg(_resolve_conj(plain))))
    except (TypeError, RuntimeError, ValueError, NotImplementedError):
        return None
    return Tensor(data, name, framework="torch", type_name=type(value).__name__, device=str(device))


def create(tensor: Tensor, device: str = "cpu") -> torch.Tensor:
    """A tensor with the values, dtype, memory layout and gradient request of ``tensor``, on ``device``."""
    dtype = _DTYPES[tensor.dtype]
    data = _from_numpy(tensor.data).to(dtype, copy=True)
    if tensor.memory == "contiguous":
        pass
    elif tensor.memory == "transposed" and data.ndim >= 2:
        data = data.mT.contiguous().mT
    elif tensor.memory == "split" and data.ndim >= 3:
        data = data.transpose(-3, -2).contiguous().transpose(-3, -2)
    elif tensor.memory == "sliced" and data.ndim >= 1:
        filler = float("nan") if dtype.is_floating_point else 1
        wide = torch.full((*data.shape[:-1], 2 * data.shape[-1] + 1), filler, dtype=dtype)
        wide[..., 1::2] = data
        data = wide[..., 1::2]
    if device != "cpu":
        data = data.to(device)
    return data.requires_grad_() if tensor.requires_grad else data


def gradients(output: Any, cotangent: Tensor, inputs: list[torch.Tensor]) -> list[Tensor | None]:
    """Gradients of ``<output, cotangent>`` with respect to ``inputs``, None where there is no path.

    Raises:
        Fault: ``no-output`` if there is no tensor of the cotangent's shape, ``no-graph`` if it has no gradient.
    """
    if not isinstance(output, torch.Tensor):
        raise Fault("no-output", detail=type(output).__name__)
    if tuple(output.shape) != cotangent.data.shape:
        raise Fault("no-output", detail=f"{tuple(output.shape)}, not {cotangent.data.shape}")
    if not output.requires_grad:
        raise Fault("no-graph")
    weights = _from_numpy(np.array(cotangent.data)).to(output.device, output.dtype)
    with _enable_grad():
        found = _run_backward(
            (output,), (weights,), False, False, tuple(inputs), allow_unreachable=True, accumulate_grad=False
        )
    return [None if gradient is None else read(gradient) for gradient in found]


def overwrite(target: torch.Tensor, tensor: Tensor) -> None:
    """Put the values of ``tensor`` into ``target``, in place.

    Raises:
        Fault: if the shapes differ.
    """
    if tuple(target.shape) != tensor.data.shape:
        raise Fault("unsendable", detail=f"shape {tuple(target.shape)}, not {tensor.data.shape}")
    with _no_grad():
        _copy(target, _from_numpy(tensor.data))
