"""Parameters, buffers and plain attributes of an object of the submission: read, set, converted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from interview_coach.grading.protocol import ModuleState, Tensor
from interview_coach.grading.worker.faults import Fault
from interview_coach.grading.worker.values import to_tensor

_MAX_DEPTH = 8
_MAX_CHILDREN = 256


def read_state(root: Any) -> ModuleState:
    """What ``root`` holds, by dotted name.

    Modules and arrays are found in lists and dicts as well, and in objects of the submission's own classes.
    """
    state = ModuleState({}, {}, {}, {})
    _walk(root, "", 0, _is_module(root), state)
    return state


def _walk(owner: Any, prefix: str, depth: int, in_module: bool, state: ModuleState) -> None:
    if depth > _MAX_DEPTH:
        return
    for key, value in _children(owner):
        name = prefix + key
        if type(value) in (bool, int, float, str):
            state.attributes[name] = value if not isinstance(value, str) else value[:1000]
            continue
        tensor = to_tensor(value)
        if tensor is not None:
            learned = not in_module or type(value).__name__ == "Parameter"
            (state.parameters if learned else state.buffers)[name] = tensor
        elif isinstance(value, list | tuple | dict):
            _walk(value, name + ".", depth + 1, in_module, state)
        elif _is_module(value) or type(value).__module__.startswith("submission"):
            state.submodules[name] = type(value).__name__
            _walk(value, name + ".", depth + 1, in_module, state)


def _children(owner: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(owner, list | tuple):
        yield from ((str(i), value) for i, value in enumerate(owner[:_MAX_CHILDREN]))
        return
    if isinstance(owner, dict):
        yield from ((str(key), value) for key, value in list(owner.items())[:_MAX_CHILDREN])
        return
    if _is_module(owner):
        for registry in ("_parameters", "_buffers", "_modules"):
            yield from owner.__dict__.get(registry, {}).items()
    for key, value in getattr(owner, "__dict__", {}).items():
        if not key.startswith("_") and key != "training":
            yield key, value
    for kind in type(owner).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for key in (slots,) if isinstance(slots, str) else slots:
            if not key.startswith("__") and hasattr(owner, key):
                yield key, getattr(owner, key)


def assign(root: Any, values: dict[str, Tensor]) -> None:
    """Set arrays of ``root`` in place, by the names of :func:`read_state`.

    Raises:
        Fault: for a name that is not there or a shape that differs.
    """
    for name, tensor in values.items():
        owner, key, target = _locate(root, name)
        if isinstance(target, np.ndarray):
            if target.shape != tensor.data.shape:
                raise Fault("unsendable", detail=f"{name}: shape {target.shape}, not {tensor.data.shape}")
            replaced = np.array(tensor.data, target.dtype)
            if target.flags.writeable:
                target[...] = replaced
            else:
                _set(owner, key, replaced)
        elif target is None or to_tensor(target) is None:
            raise Fault("no-target", name=name)
        else:
            from interview_coach.grading.worker import tensors

            tensors.overwrite(target, tensor)


def convert(root: Any, dtype: str) -> None:
    """``root.to(dtype)`` for a torch module; for another object, its own numpy arrays of floats."""
    if _is_module(root):
        root.to(getattr(sys.modules["torch"], dtype))
        return
    for key, value in list(getattr(root, "__dict__", {}).items()):
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            setattr(root, key, value.astype(dtype))


def _locate(root: Any, name: str) -> tuple[Any, str, Any]:
    owner, target, key = root, root, ""
    for key in name.split("."):
        owner = target
        target = next((value for child, value in _children(owner) if child == key), None)
    return owner, key, target


def _set(owner: Any, key: str, value: Any) -> None:
    if isinstance(owner, list):
        owner[int(key)] = value
    elif isinstance(owner, dict):
        owner[next(own for own in owner if str(own) == key)] = value
    else:
        setattr(owner, key, value)


def _is_module(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.nn.Module)
