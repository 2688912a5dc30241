"""The tiled kernels of flash-forward and flash-backward: values around the tile size, memory, and bad arguments."""

from __future__ import annotations

import importlib.util
import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch

from interview_coach.grading.worker.meter import TorchMeter
from interview_coach.oracles.attention import attention, causal_mask, repeat_heads
from interview_coach.resources import resource_dir

Array = np.ndarray[Any, Any]

TILE = 8
LENGTHS = [(1, 1), (1, 19), (7, 8), (8, 7), (8, 8), (9, 9), (19, 7), (7, 19), (17, 16)]
HEADS = [(3, 3), (4, 2), (3, 1)]
TECHNIQUES = ["tiled", "tiled_numpy"]
FORWARD, BACKWARD = "flash-forward", "flash-backward"
NAMES = {FORWARD: "flash_attention", BACKWARD: "flash_attention_backward"}


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Products this small are slower on two threads, and much slower on a busy machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def load(exercise: str, technique: str = "tiled") -> Any:
    """A solution as a module of its own."""
    spec = importlib.util.spec_from_file_location(
        f"{exercise}_{technique}".replace("-", "_"), resource_dir("solutions") / exercise / f"{technique}.py"
    )
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@cache
def kernel(exercise: str, technique: str) -> Callable[..., Any]:
    """The function, taking and returning numpy arrays whatever it is written in."""
    loaded = load(exercise, technique)
    function: Callable[..., Any] = getattr(loaded, NAMES[exercise])
    if technique.endswith("numpy"):
        return function
    loaded.SCORES = 500  # so that short lengths cross the edges of tiles of queries, too

    def through_torch(*arrays: Any, **named: Any) -> Any:
        given = [torch.from_numpy(x) if isinstance(x, np.ndarray) else x for x in arrays]
        return tuple(x.numpy() for x in function(*given, **named))

    return through_torch


def draw(
    sq: int, sk: int, heads: tuple[int, int] = (4, 2), d: int = 5, dv: int = 6, dtype: str = "float32"
) -> list[Array]:
    rng = np.random.default_rng([sq, sk, *heads])
    shapes = ((2, heads[0], sq, d), (2, heads[1], sk, d), (2, heads[1], sk, dv), (2, heads[0], sq, dv))
    return [(rng.normal(size=s) * 1.3 + (i == 2)).astype(dtype) for i, s in enumerate(shapes)]


def log_sum_exp(q: Array, k: Array, causal: bool) -> Array:
    q, k = q.astype(np.float64), repeat_heads(k.astype(np.float64), q.shape[1])
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    weights = np.where(causal_mask(*s.shape[-2:]) | (not causal), np.exp(s), 0.0)
    with np.errstate(divide="ignore"):
        found: Array = np.log(weights.sum(-1))
    return found


def gradients(q: Array, k: Array, v: Array, d_out: Array, causal: bool) -> list[Array]:
    """Central differences of the float64 oracle would be noisy: the matrix form, with a mask and grouped heads."""
    shape = k.shape
    q, k, v, d_out = (x.astype(np.float64) for x in (q, k, v, d_out))
    k, v = repeat_heads(k, q.shape[1]), repeat_heads(v, q.shape[1])
    scale = q.shape[-1] ** -0.5
    s = q @ k.swapaxes(-1, -2) * scale
    visible = causal_mask(*s.shape[-2:]) | (not causal)
    p = np.where(visible, np.exp(s - s.max(-1, keepdims=True)), 0.0)
    total = p.sum(-1, keepdims=True)
    p = np.divide(p, total, out=np.zeros_like(p), where=total > 0)
    dp = d_out @ v.swapaxes(-1, -2)
    ds = p * (dp - (p * dp).sum(-1, keepdims=True)) * scale
    grouped = (*shape[:2], -1, shape[2])
    dk = (ds.swapaxes(-1, -2) @ q).reshape(*grouped, q.shape[-1]).sum(2)
    dv = (p.swapaxes(-1, -2) @ d_out).reshape(*grouped, v.shape[-1]).sum(2)
    return [ds @ k, dk, dv]


def error(got: Array, expected: Array) -> float:
    assert got.shape == expected.shape
    return float(np.abs(got - expected).max() / max(np.abs(expected).max(), 1.0))


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("heads", HEADS)
@pytest.mark.parametrize("technique", TECHNIQUES)
def test_forward_at_every_length(technique: str, heads: tuple[int, int], causal: bool) -> None:
    for sq, sk in LENGTHS:
        q, k, v, _ = draw(sq, sk, heads)
        for block in (1, TILE, 50):
            out, lse = kernel(FORWARD, technique)(q, k, v, causal, block)
            assert out.dtype == lse.dtype == np.float32
            assert error(out, attention(q, k, v, causal=causal)) < 2e-6, (sq, sk, block)
            expected = log_sum_exp(q, k, causal)
            seen = np.isfinite(expected)
            assert np.array_equal(lse[~seen], expected[~seen])
            assert error(lse[seen], expected[seen]) < 2e-6, (sq, sk, block)
            assert not out[~seen].any()


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("heads", HEADS)
@pytest.mark.parametrize("technique", TECHNIQUES)
def test_backward_at_every_length(technique: str, heads: tuple[int, int], causal: bool) -> None:
    for sq, sk in LENGTHS:
        q, k, v, d_out = draw(sq, sk, heads)
        out, lse = (x.astype(np.float32) for x in (attention(q, k, v, causal=causal), log_sum_exp(q, k, causal)))
        for block in (1, TILE, 50):
            got = kernel(BACKWARD, technique)(q, k, v, out, lse, d_out, causal, block)
            for name, one, expected in zip("qkv", got, gradients(q, k, v, d_out, causal), strict=True):
                assert one.dtype == np.float32
                assert error(one, expected) < 5e-6, (f"d{name}", sq, sk, block)


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_inputs_are_untouched_and_views_are_taken(technique: str) -> None:
    arrays = [x.swapaxes(1, 2).copy().swapaxes(1, 2) for x in draw(9, 10)]
    q, k, v, d_out = arrays
    before = [x.copy() for x in arrays]
    out, lse = kernel(FORWARD, technique)(q, k, v, True, TILE)
    assert error(out, attention(q, k, v, causal=True)) < 2e-6
    got = kernel(BACKWARD, technique)(q, k, v, out, lse, d_out, True, TILE)
    for one, expected in zip(got, gradients(q, k, v, d_out, True), strict=True):
        assert error(one, expected) < 5e-6
    assert all(np.array_equal(x, y) for x, y in zip(arrays, before, strict=True))


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_logits_of_any_size(technique: str) -> None:
    q, k, v, _ = draw(19, 19)
    slope = np.linspace(-1, 1, 19, dtype=np.float32)[:, None]
    for left, right in ((q * 12, k * 12), (q * 0 + 17, k + 17), (q * 0 - 17, k + 17), (q * 0 + 20, k * 0 + 7 * slope)):
        for causal in (False, True):
            out, lse = kernel(FORWARD, technique)(left, right, v, causal, TILE)
            assert error(out, attention(left, right, v, causal=causal)) < 3e-5
            assert np.isfinite(lse).all()


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_half_in_half_out(technique: str) -> None:
    q, k, v, d_out = draw(19, 19, dtype="float16")
    out, lse = kernel(FORWARD, technique)(q, k, v, True, TILE)
    assert (out.dtype, lse.dtype) == (np.float16, np.float32)
    assert error(out, attention(q, k, v, causal=True)) < 1e-3
    got = kernel(BACKWARD, technique)(q, k, v, out, lse, d_out, True, TILE)
    for one, expected in zip(got, gradients(q, k, v, d_out, True), strict=True):
        assert one.dtype == np.float16 and error(one, expected) < 4e-3
    big = np.full((1, 1, 9, 64), 40.0, np.float16)
    assert np.isfinite(kernel(FORWARD, technique)(big, big, v[:1, :1, :9])[0]).all()


def test_double_precision_and_bfloat16() -> None:
    arrays = draw(19, 17, dtype="float64")
    q, k, v, d_out = arrays
    out, lse = kernel(FORWARD, "tiled")(q, k, v, True, TILE)
    assert error(out, attention(q, k, v, causal=True)) < 1e-14
    got = kernel(BACKWARD, "tiled")(q, k, v, out, lse, d_out, True, TILE)
    assert all(error(x, y) < 1e-14 for x, y in zip(got, gradients(q, k, v, d_out, True), strict=True))
    half = [torch.from_numpy(x).bfloat16() for x in arrays]
    forward, backward = load(FORWARD).flash_attention, load(BACKWARD).flash_attention_backward
    o, lse = forward(*half[:3], True, TILE)
    assert o.dtype == torch.bfloat16 and lse.dtype == torch.float32
    q, k, v, d_out = (x.double().numpy() for x in half)
    assert error(o.double().numpy(), attention(q, k, v, causal=True)) < 2**-8
    for one, expected in zip(backward(*half[:3], o, lse, half[3], True), gradients(q, k, v, d_out, True), strict=True):
        assert one.dtype == torch.bfloat16 and error(one.double().numpy(), expected) < 2**-6


def peak(call: Callable[[], Any]) -> int:
    with TorchMeter() as meter:
        call()
    return meter.cost()["peak_bytes"]


def zeros(heads: int, length: int, dim: int) -> list[torch.Tensor]:
    """q, k, v, d_out and lse: bytes do not depend on values."""
    return [*(torch.zeros(1, heads, length, dim) for _ in range(4)), torch.zeros(1, heads, length)]


@pytest.mark.parametrize("causal", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_torch_needs_a_fiftieth_of_the_naive_memory(causal: bool) -> None:
    q, k, v, *_ = zeros(1, 1024, 64)
    naive = 64 * peak(lambda: load("sdpa", "naive").attention(q, k, v))  # it grows with the square
    assert naive >= 2 * 4 * 8192**2
    q, k, v, *_ = zeros(1, 8192, 64)
    assert peak(lambda: load(FORWARD).flash_attention(q, k, v, causal)) * 50 <= naive


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("which", [FORWARD, BACKWARD])
def test_memory_grows_with_the_length(which: str, causal: bool) -> None:
    def bytes_at(length: int) -> int:
        q, k, v, d_out, lse = zeros(2, length, 16)
        if which == FORWARD:
            return peak(lambda: load(which).flash_attention(q, k, v, causal))
        return peak(lambda: load(which).flash_attention_backward(q, k, v, d_out, lse, d_out, causal))

    # Four times the length: about 4 if it is O(S), 16 if it is O(S²).
    assert bytes_at(2048) < 5 * bytes_at(512)


def test_causal_skips_the_tiles_of_the_future() -> None:
    q, k, v, d_out, lse = zeros(1, 1024, 64)

    def flops(call: Callable[[], Any]) -> int:
        with TorchMeter() as meter:
            call()
        return meter.cost()["flops"]

    full, half = (flops(lambda c=c: load(FORWARD).flash_attention(q, k, v, c)) for c in (False, True))  # type: ignore[misc]
    assert full == 4 * 64 * 1024**2
    assert half == full * 17 // 32  # half of the tiles, and those on the diagonal
    full, half = (
        flops(lambda c=c: load(BACKWARD).flash_attention_backward(q, k, v, d_out, lse, d_out, c))  # type: ignore[misc]
        for c in (False, True)
    )
    assert full == 10 * 64 * 1024**2
    assert half == full * 17 // 32


@pytest.mark.parametrize("which", [FORWARD, BACKWARD])
def test_numpy_needs_little_memory(which: str) -> None:
    n = 768
    q, k, v, d_out = draw(n, n, (1, 1))
    q, k, v, d_out = (x[:1] for x in (q, k, v, d_out))
    lse = log_sum_exp(q, k, False).astype(np.float32)
    function = kernel(which, "tiled_numpy")
    tracemalloc.start()
    function(q, k, v) if which == FORWARD else function(q, k, v, d_out, lse, d_out)
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert used < n * n * 4 / 10


Q, K, V, LSE = (2, 4, 3, 5), (2, 2, 7, 5), (2, 2, 7, 6), (2, 4, 3)
OUT = (2, 4, 3, 6)
BAD_FORWARD = [
    (((4, 3, 5), K, V), {}, r"q: .*\(4, 3, 5\), expected .*\(B, H, S, D\)"),
    (((2, 4, 0, 5), K, V), {}, r"q: .*\(2, 4, 0, 5\), expected .*without a 0"),
    ((Q, (2, 2, 0, 5), (2, 2, 0, 6)), {}, r"k: .*\(2, 2, 0, 5\), expected .*without a 0"),
    ((Q, (2, 3, 7, 5), (2, 3, 7, 6)), {}, r"k: .*\(2, 3, 7, 5\), expected \(2, a divisor of 4, Sk, 5\)"),
    ((Q, (3, 2, 7, 5), (3, 2, 7, 6)), {}, r"k: .*\(3, 2, 7, 5\), expected \(2, "),
    ((Q, (2, 2, 7, 4), V), {}, r"k: .*\(2, 2, 7, 4\), expected .* 5\)"),
    ((Q, K, (2, 4, 7, 6)), {}, r"v: .*\(2, 4, 7, 6\), expected \(2, 2, 7, Dv\)"),
    ((Q, K, (2, 2, 8, 6)), {}, r"v: .*\(2, 2, 8, 6\), expected \(2, 2, 7, Dv\)"),
    *(((Q, K, V), {"block_size": b}, f"block_size: {b}, expected an integer of at least 1") for b in (0, -64, 2.5)),
]
BAD_BACKWARD = [(((*shapes, OUT, LSE, OUT), named, message)) for shapes, named, message in BAD_FORWARD] + [
    ((Q, K, V, (2, 4, 3, 5), LSE, OUT), {}, r"out: .*\(2, 4, 3, 5\), expected .*\(2, 4, 3, 6\)"),
    ((Q, K, V, OUT, (2, 4, 4), OUT), {}, r"lse: .*\(2, 4, 4\), expected .*\(2, 4, 3\)"),
    ((Q, K, V, OUT, LSE, (2, 2, 3, 6)), {}, r"d_out: .*\(2, 2, 3, 6\), expected .*\(2, 4, 3, 6\)"),
]


@pytest.mark.parametrize("technique", TECHNIQUES)
@pytest.mark.parametrize(
    ("which", "shapes", "named", "message"),
    [(FORWARD, *bad) for bad in BAD_FORWARD] + [(BACKWARD, *bad) for bad in BAD_BACKWARD],
)
def test_bad_arguments_are_named(which: str, technique: str, shapes: Any, named: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kernel(which, technique)(*(np.zeros(s, np.float32) for s in shapes), **named)


@pytest.mark.parametrize("technique", TECHNIQUES)
@pytest.mark.parametrize("which", [FORWARD, BACKWARD])
def test_wrong_dtypes_are_named(which: str, technique: str) -> None:
    shapes = (Q, K, V, OUT, LSE, OUT)[: 3 if which == FORWARD else 6]
    whole = [np.zeros(s, np.int64) for s in shapes]
    with pytest.raises(ValueError, match=r"q: .*int64 of shape \(2, 4, 3, 5\), expected a floating dtype"):
        kernel(which, technique)(*whole)
    mixed = [np.zeros(s, np.float16 if i == 1 else np.float32) for i, s in enumerate(shapes)]
    with pytest.raises(ValueError, match=r"k: .*float16 of shape .*expected .*float32"):
        kernel(which, technique)(*mixed)
