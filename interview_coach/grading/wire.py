"""Frames between the grader and the worker: a length prefix, a JSON header, raw array buffers.

Nothing is ever unpickled. What is decoded here may come from a hostile sender, so every size, type and nesting is
checked before it is used; whatever does not fit raises :class:`WireError`.

A frame is ``<magic><header bytes: u32><body bytes: u64><header><body>``. In the header, None, booleans, numbers and
strings stand for themselves and everything else is an object with one key, the tag, e.g. ``{"list": [1, 2]}``.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.protocol import DTypeName, Opaque, Record, Ref, Tensor, Value

MAGIC = b"ICW1"
PREFIX = struct.Struct("!4sIQ")
MAX_HEADER = 8 * 2**20
MAX_DEPTH = 24
_MAX_INT = 2**63
_SMALL = 2**14
"""Bytes of an array that are sooner copied than looked at in place."""

STORAGE: dict[str, str] = {
    **{name: name for name in ("float16", "float32", "float64", "complex64", "complex128", "bool")},
    **{f"{sign}int{bits}": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "bfloat16": "float32",
    "float8_e4m3fn": "float32",
    "float8_e5m2": "float32",
}
"""The dtypes that cross the wall, and the numpy type that holds their values on the way."""
_HELD = {name: np.dtype(held) for name, held in STORAGE.items()}


class WireError(Exception):
    """Bytes that are no frame, or a frame that breaks the rules above."""


_to_json = json.JSONEncoder(separators=(",", ":")).encode


def pack(header: Any, buffers: Sequence[memoryview | bytes] = ()) -> list[memoryview | bytes]:
    """A frame as pieces to be sent one after the other."""
    text = _to_json(header).encode()
    body = sum(map(len, buffers))
    return [PREFIX.pack(MAGIC, len(text), body) + text, *buffers]


def unpack_prefix(prefix: bytes | bytearray, max_body: int) -> tuple[int, int]:
    """Sizes of the header and of the body.

    Raises:
        WireError: if the magic is wrong or a size is beyond its limit.
    """
    magic, header, body = PREFIX.unpack(prefix)
    if magic != MAGIC:
        raise WireError("bytes that are no frame")
    if header > MAX_HEADER or body > max_body:
        raise WireError(f"a frame of {header + body} bytes")
    return header, body


def unpack_header(text: bytes | bytearray) -> dict[str, Any]:
    """The JSON object of a frame."""
    try:
        header = json.loads(text.decode())
    except (ValueError, RecursionError) as error:
        raise WireError(f"a header that is no JSON: {type(error).__name__}") from None
    if not isinstance(header, dict):
        raise WireError("a header that is no object")
    return header


class Encoder:
    """Turns values into their JSON form, and collects the array buffers beside it."""

    def __init__(self) -> None:
        self.buffers: list[memoryview | bytes] = []
        self.size = 0

    def tensor(self, tensor: Tensor) -> dict[str, Any]:
        """``tensor`` as a JSON object; its bytes join the buffers."""
        data = tensor.data
        if _HELD.get(tensor.dtype) != data.dtype:
            raise WireError(f"dtype {tensor.dtype} held as {data.dtype.name}")
        if data.nbytes <= _SMALL or not data.flags.c_contiguous:
            self.buffers.append(data.tobytes())
        else:
            self.buffers.append(data.reshape(-1).view(np.uint8).data)
        self.size += data.nbytes
        fields: dict[str, Any] = {"dtype": tensor.dtype, "shape": list(data.shape)}
        if tensor.requires_grad:
            fields["grad"] = True
        if tensor.memory != "contiguous":
            fields["memory"] = tensor.memory
        if tensor.framework:
            fields |= {"framework": tensor.framework, "type": tensor.type_name, "device": tensor.device}
        return {"tensor": fields}

    def encode(self, value: Value) -> Any:
        """``value`` in its JSON form.

        Raises:
            WireError: if it is none of the types of :data:`~interview_coach.grading.protocol.Value`.
        """
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, np.generic):
            return self.encode(value.item())
        encode = _ENCODERS.get(type(value))
        if encode is None:
            raise WireError(f"a value of type {type(value).__name__}")
        return encode(self, value)


_ENCODERS: dict[type, Callable[[Encoder, Any], Any]] = {
    Tensor: Encoder.tensor,
    list: lambda self, value: {"list": [self.encode(item) for item in value]},
    tuple: lambda self, value: {"tuple": [self.encode(item) for item in value]},
    dict: lambda self, value: {"dict": [[self.encode(key), self.encode(item)] for key, item in value.items()]},
    Ref: lambda self, value: {"ref": [value.call, *value.path]},
    Opaque: lambda self, value: {"opaque": value.type_name},
    DTypeName: lambda self, value: {"dtype": value.name},
    Record: lambda self, value: {"record": [[key, self.encode(item)] for key, item in value.fields.items()]},
}


class Decoder:
    """Turns the JSON form back into values, taking each array's bytes from the body in order."""

    def __init__(self, body: bytearray) -> None:
        self._body = memoryview(body)
        self._offset = 0

    def finish(self) -> None:
        """Check that the whole body was used."""
        if self._offset != len(self._body):
            raise WireError("bytes that belong to no array")

    def tensor(self, fields: Any) -> Tensor:
        """The array that ``fields`` describes; it is writable and shares the body's memory."""
        if not isinstance(fields, dict):
            raise WireError("an array that is no object")
        get = fields.get
        dtype, shape, memory, framework = get("dtype"), get("shape"), get("memory", "contiguous"), get("framework")
        if not isinstance(dtype, str) or dtype not in STORAGE:
            raise WireError("an array of an unknown dtype")
        if memory not in ("contiguous", "transposed", "split", "sliced") or framework not in (None, "torch", "numpy"):
            raise WireError("an array of an unknown kind")
        return Tensor(
            self._take(_HELD[dtype], shape),
            dtype,
            get("grad") is True,
            memory,
            framework,
            text(fields["type"]) if "type" in fields else "",
            text(fields["device"]) if "device" in fields else "cpu",
        )

    def _take(self, dtype: np.dtype[Any], shape: Any) -> Array:
        if not isinstance(shape, list) or len(shape) > 32:
            raise WireError("an array of an impossible shape")
        size = dtype.itemsize
        for n in shape:
            if type(n) is not int or not 0 <= n < 2**40:
                raise WireError("an array of an impossible shape")
            size *= n
        end = self._offset + size
        if end > len(self._body):
            raise WireError("an array without its bytes")
        try:
            data: Array = np.ndarray(shape, dtype, self._body, self._offset)
        except ValueError:  # extents beyond all numbers, beside one that is 0
            raise WireError("an array of an impossible shape") from None
        self._offset = end
        # The buffers follow each other without padding, so an array may start anywhere.
        return data if data.flags.aligned else data.copy()

    def decode(self, form: Any, depth: int = 0) -> Value:
        """The value of a JSON form.

        Raises:
            WireError: for an unknown tag, a wrong field or nesting deeper than ``MAX_DEPTH``.
        """
        if form is None or isinstance(form, bool | float):
            return form
        if isinstance(form, str):
            return text(form)
        if isinstance(form, int):
            if abs(form) >= _MAX_INT:
                raise WireError("an integer of more than 64 bits")
            return form
        if depth > MAX_DEPTH or not isinstance(form, dict) or len(form) != 1:
            raise WireError("a value that is nested too deeply or has no tag")
        ((tag, content),) = form.items()
        if tag == "tensor":
            return self.tensor(content)
        if tag in ("opaque", "dtype"):
            return (Opaque if tag == "opaque" else DTypeName)(text(content))
        if not isinstance(content, list):
            raise WireError(f"a {tag} that is no list")
        if tag in ("list", "tuple"):
            items = [self.decode(item, depth + 1) for item in content]
            return items if tag == "list" else tuple(items)
        if tag in ("dict", "record"):
            pairs = [self._pair(pair, depth + 1) for pair in content]
            return dict(pairs) if tag == "dict" else Record({text(key): item for key, item in pairs})
        if tag == "ref" and content and type(content[0]) is int and all(type(i) in (int, str) for i in content):
            return Ref(content[0], tuple(content[1:]))
        raise WireError("a value with an unknown tag")

    def _pair(self, pair: Any, depth: int) -> tuple[Any, Any]:
        if not isinstance(pair, list) or len(pair) != 2 or isinstance(pair[0], dict | list):
            raise WireError("a mapping with an impossible key")
        return pair[0], self.decode(pair[1], depth)


def text(value: Any, limit: int = 65536) -> str:
    """``value`` if it is a string, cut at ``limit`` characters and without what a terminal cannot or must not print."""
    if not isinstance(value, str):
        raise WireError("something else where a text belongs")
    return printable(value[:limit])


def printable(value: str) -> str:
    """``value`` with lone surrogates and control characters replaced: neither colours, titles nor cursors move."""
    if value.isascii() and value.isprintable():
        return value
    return value.encode(errors="replace").decode().translate(_CONTROLS)


_CONTROLS = {code: "\ufffd" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n\r"}
