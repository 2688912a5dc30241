"""Frames from the other side are never believed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interview_coach.grading import answers, wire
from interview_coach.grading.protocol import DTypeName, Limits, Opaque, Record, Ref, Tensor
from tests import characters

VALUES: list[Any] = [
    None, True, 3, -2.5, float("inf"), "文", [1, [2, "x"]], (1, (2,)), {"a": 1, 2: [None]}, Ref(4, (0, "out")),
    Opaque("Thing"), DTypeName("float16"), Record({"heads": 2, "sizes": [1, 2]}),
]  # fmt: skip


def there_and_back(value: Any) -> Any:
    encoder = wire.Encoder()
    pieces = wire.pack({"value": encoder.encode(value)}, encoder.buffers)
    data = b"".join(pieces)
    header, body = wire.unpack_prefix(data[: wire.PREFIX.size], 2**20)
    text = data[wire.PREFIX.size :][:header]
    decoder = wire.Decoder(bytearray(data[wire.PREFIX.size + header :]))
    assert len(data) == wire.PREFIX.size + header + body
    found = decoder.decode(wire.unpack_header(text)["value"])
    decoder.finish()
    return found


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_come_back(value: Any) -> None:
    found = there_and_back(value)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("dtype", sorted(wire.STORAGE))
@pytest.mark.parametrize("shape", [(), (0, 3), (2, 3)])
def test_arrays_come_back(dtype: str, shape: tuple[int, ...]) -> None:
    x = np.ones(shape, wire.STORAGE[dtype])
    odd = Tensor(np.ones(3, np.uint8), "uint8")
    _, found = there_and_back([odd, Tensor(x, dtype, True, "sliced", "torch", "Tensor", "cuda:0")])
    np.testing.assert_array_equal(found.data, x)
    assert found.data.dtype == x.dtype
    assert found.data.shape == shape
    assert found.data.flags.writeable
    assert (found.dtype, found.requires_grad, found.memory) == (dtype, True, "sliced")
    assert (found.framework, found.type_name, found.device) == ("torch", "Tensor", "cuda:0")


def test_arrays_that_are_no_arrays_of_the_list_are_refused() -> None:
    for value in (Tensor(np.ones(2), "float32"), Tensor(np.array([None]), "object"), object(), {1, 2}):
        with pytest.raises(wire.WireError):
            wire.Encoder().encode(value)


BAD_FORMS: list[Any] = [
    [], {}, {"list": 1}, {"what": []}, {"list": [], "tuple": []}, {"ref": []}, {"ref": ["x"]}, {"ref": [True]}, 2**63,
    {"dict": [[1]]}, {"dict": [[[1], 2]]}, {"record": [[1, 2]]}, {"opaque": 3}, {"tensor": []},
    {"tensor": {"dtype": "object", "shape": []}}, {"tensor": {"dtype": "float32", "shape": [-1]}},
    {"tensor": {"dtype": "float32", "shape": [1000]}}, {"tensor": {"dtype": "float32", "shape": [2**39, 2**39]}},
    {"tensor": {"dtype": "float32", "shape": [True]}}, {"tensor": {"dtype": "float32", "shape": [1.0]}},
    {"tensor": {"dtype": "float32", "shape": [1], "memory": "odd"}}, {"tensor": {"dtype": ["float32"], "shape": [1]}},
    {"tensor": {"dtype": "float32", "shape": [1], "framework": "jax"}},
]  # fmt: skip


@pytest.mark.parametrize("form", BAD_FORMS, ids=repr)
def test_bad_forms_are_refused(form: Any) -> None:
    with pytest.raises(wire.WireError):
        wire.Decoder(bytearray(16)).decode(form)


def test_nesting_and_left_over_bytes_are_refused() -> None:
    form: Any = 1
    for _ in range(wire.MAX_DEPTH + 2):
        form = {"list": [form]}
    with pytest.raises(wire.WireError, match="nested"):
        wire.Decoder(bytearray()).decode(form)
    with pytest.raises(wire.WireError, match="no array"):
        wire.Decoder(bytearray(1)).finish()
    with pytest.raises(wire.WireError, match="no JSON"):
        wire.unpack_header(b'{"a":' + b"[" * 200_000)
    with pytest.raises(wire.WireError, match="no JSON"):
        wire.unpack_header(b'{"a":' + b"1" * 10_000 + b"}")


@pytest.mark.parametrize(
    "prefix",
    [
        wire.PREFIX.pack(b"PICK", 1, 1),
        wire.PREFIX.pack(wire.MAGIC, wire.MAX_HEADER + 1, 0),
        wire.PREFIX.pack(wire.MAGIC, 1, 1001),
    ],
)
def test_bad_prefixes_are_refused(prefix: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.unpack_prefix(prefix, 1000)


def test_lone_surrogates_do_not_come_through() -> None:
    assert there_and_back("a\udc80b") == "a?b"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(characters.ANY, max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["tensor", "list", "dict", "ref", "reason", "facts", "x"]), inner, max_size=4)
    ),
    max_leaves=6,
)
FIELDS = (
    "value", "gradients", "gradient_failure", "failure", "mutated", "library", "cost", "seconds", "callables",
    "imports_torch", "imports_triton", "parameters", "buffers", "attributes", "submodules",
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), JSON), st.binary(max_size=64))
def test_any_answer_is_a_value_or_refused(header: dict[str, Any], body: bytes) -> None:
    for read in (
        lambda: answers.failed(header, Limits()),
        lambda: answers.outcome(header, bytearray(body), Ref(1), None),
        lambda: answers.module_info(header),
        lambda: answers.module_state(header, bytearray(body)),
    ):
        try:
            read()
        except wire.WireError:
            continue
