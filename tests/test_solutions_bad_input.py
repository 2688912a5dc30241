"""What every reference kernel says to bad input: a ValueError that names the argument, its shape, and what is expected.

Each argument of a call that works is replaced, one at a time, by arrays of other ranks, sizes and dtypes, by empty ones
and by numbers that are none. What a kernel has a meaning for it may compute; else it raises that ValueError.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from interview_coach.resources import resource_dir

Shape = tuple[int, ...]
Arrays = dict[str, tuple[str, Shape]]

Q, K, V, OUT = (2, 4, 3, 6), (2, 4, 5, 6), (2, 4, 5, 7), (2, 4, 3, 7)
FEW_K, FEW_V = (2, 2, 5, 6), (2, 2, 5, 7)
X, CONTEXT, WEIGHT, CACHE = (2, 5, 12), (2, 7, 12), (12, 12), (5, 3, 2, 6)


def floats(**shapes: Shape) -> Arrays:
    return {name: ("float32", shape) for name, shape in shapes.items()}


_WEIGHTS = floats(x=X, w_q=WEIGHT, w_k=WEIGHT, w_v=WEIGHT, w_o=WEIGHT)
CALLS: dict[str, tuple[str, Arrays, dict[str, Any]]] = {
    "softmax": ("softmax", floats(x=(3, 5)), {}),
    "sdpa": ("attention", floats(q=Q, k=K, v=V, mask=(3, 5)), {}),
    "causal": ("causal_attention", floats(q=Q, k=K, v=V), {}),
    "gqa": ("gqa", floats(q=Q, k=FEW_K, v=FEW_V), {}),
    "alibi": ("alibi_attention", floats(q=Q, k=K, v=V), {}),
    "sliding-window": ("sliding_window_attention", floats(q=Q, k=K, v=V), {"window": 2}),
    "online-softmax": ("online_softmax", floats(x=(3, 5)), {"block_size": 2}),
    "flash-forward": ("flash_attention", floats(q=Q, k=FEW_K, v=FEW_V), {"block_size": 2}),
    "flash-backward": (
        "flash_attention_backward",
        floats(q=Q, k=FEW_K, v=FEW_V, out=OUT, lse=OUT[:3], d_out=OUT),
        {"block_size": 2},
    ),
    "softmax-backward": ("softmax_backward", floats(p=(2, 3, 5), dp=(2, 3, 5)), {}),
    "attention-backward": ("attention_backward", floats(q=Q, k=K, v=V, d_out=OUT), {}),
    "merge-lse": ("merge_attention", floats(out_a=OUT, lse_a=OUT[:3], out_b=OUT, lse_b=OUT[:3]), {}),
    "linear-attention": ("linear_attention", floats(q=Q, k=K, v=V), {"chunk": 2}),
    "block-sparse": ("longformer_attention", floats(q=K, k=K, v=V), {"window": 1, "global_tokens": [0]}),
    "fp16-attention": ("attention_fp16", floats(q=Q, k=K, v=V), {}),
    "paged-attention": (
        "paged_attention",
        floats(q=(2, 4, 6), k_cache=CACHE, v_cache=CACHE)
        | {"block_table": ("int64", (2, 2)), "context_lens": ("int64", (2,))},
        {},
    ),
    "label-smoothing": ("label_smoothing_cross_entropy", floats(logits=(3, 5)) | {"target": ("int64", (3,))}, {}),
    "rope": ("apply_rope", floats(x=Q) | {"positions": ("int64", (3,))}, {"base": 100.0}),
    "multi-head": ("MultiHeadAttention", floats(x=X, mask=(5, 5)), {}),
    "cross-attention": (
        "CrossAttention",
        floats(x=X, context=CONTEXT) | {"context_mask": ("bool", (2, 7))},
        {},
    ),
    "kv-cache": ("CachedAttention", floats(x=X), {}),
    "triton-flash": ("flash_attention", floats(q=Q, k=FEW_K, v=FEW_V), {}),
}
OF_WEIGHTS = {
    "multi-head": ("multi_head_attention", _WEIGHTS | floats(mask=(5, 5)), {"n_heads": 3}),
    "kv-cache": ("cached_attention", _WEIGHTS, {"n_heads": 3}),
}
"""The same in the functional form."""
OTHER = {"float32": ("int64", "float16"), "int64": ("float32", "bool"), "bool": ("int64",)}
MEANT = re.compile(
    r"float16 (mask|lse|out_|logits|x|p)\w*|(float32|bool) positions"  # another precision is computed in
    r"|(softmax|online-softmax) rank x|softmax empty-0 x"  # any shape is fine
    r"|block-sparse window=0"
)
"""What is no mistake, however odd."""
KERNELS = sorted(p for p in resource_dir("solutions").glob("*/*.py") if p.parent.name != "triton-flash")


@cache
def call_of(path: Path) -> tuple[Any, Arrays, dict[str, Any]]:
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}".replace("-", "_"), path)
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    name, arrays, plain = CALLS[path.parent.name]
    if not hasattr(loaded, name):
        name, arrays, plain = OF_WEIGHTS[path.parent.name]
    function = getattr(loaded, name)
    if isinstance(function, type):
        return function(12, 3), arrays, plain
    tiles = {"block_size": 2} if "block_size" in function.__code__.co_varnames else {}
    return function, arrays, plain | tiles


def misused(arrays: Arrays, plain: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """What is wrong, the argument, and what to pass for it: dtype and shape, or a number."""
    for name, (dtype, shape) in arrays.items():
        yield "rank", name, (dtype, (3, 1) if len(shape) == 1 else (3,))
        for axis, size in enumerate(shape):
            yield f"longer-{axis}", name, (dtype, (*shape[:axis], size + 1, *shape[axis + 1 :]))
            yield f"empty-{axis}", name, (dtype, (*shape[:axis], 0, *shape[axis + 1 :]))
        for other in OTHER[dtype]:
            yield other, name, (other, shape)
    for name, value in plain.items():
        if isinstance(value, int):
            for number in (0, -64, 100) + (() if name == "n_heads" else (2.5,)):
                yield f"{name}={number}", name, number
        elif isinstance(value, float):
            yield f"{name}={-value}", name, -value
        else:
            yield from ((f"{name}={other}", name, other) for other in ([0.5], [[0]], [99], [-99]))


def made(numpy: bool, dtype: str, shape: Shape) -> Any:
    array = np.ones(shape, dtype)
    return array if numpy else torch.from_numpy(array)


def check(path: Path) -> None:
    function, arrays, plain = call_of(path)
    numpy = path.stem.endswith("numpy")
    right = {name: made(numpy, *form) for name, form in arrays.items()} | plain
    function(**right)
    for what, name, form in misused(arrays, plain):
        given = made(numpy, *form) if isinstance(form, tuple) else form
        said = f"{path.parent.name} {what} {name}"
        try:
            function(**right | {name: given})
        except ValueError as error:
            message = str(error)
        else:
            longer = what.startswith("longer") or what.endswith("=100")
            assert longer or MEANT.search(said), f"{said}: computed"
            continue
        told = re.match(r"(\w+): (.+), expected (.+)", message)
        assert told is not None and told[1] in (*arrays, *plain), f"{said}: {message}"
        # Where two do not fit together either may be named, by its shape.
        assert "(" in told[2] or what.partition("=")[2] in told[2] or told[2][0] == "[", f"{said}: {message}"


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_kernel_names_what_is_wrong(path: Path) -> None:
    check(path)


def test_there_is_a_call_for_every_exercise() -> None:
    assert set(CALLS) == {path.name for path in resource_dir("solutions").iterdir() if any(path.glob("*.py"))}


@pytest.mark.parametrize("size", [5, 6, 1000])
def test_a_block_that_is_larger_than_the_sequence_is_one_tile(size: int) -> None:
    for path in KERNELS:
        function, arrays, plain = call_of(path)
        if "block_size" in plain:
            right = {name: made(path.stem.endswith("numpy"), *form) for name, form in arrays.items()}
            both = [function(**right, **plain | {"block_size": n}) for n in (2, size)]
            first, second = (x[0] if isinstance(x, tuple) else x for x in both)
            assert np.allclose(np.asarray(first), np.asarray(second), atol=1e-6), path
