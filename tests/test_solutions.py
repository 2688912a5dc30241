"""The reference kernels against the float64 oracle: lengths around the tile, masks, logits of any size, half precision,
gradients, memory, and what bad arguments are told."""

from __future__ import annotations

import importlib.util
import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch
from torch.overrides import TorchFunctionMode

from interview_coach import oracles
from interview_coach.oracles import attention as oracle
from interview_coach.resources import resource_dir

Array = np.ndarray[Any, Any]

TILE = 8
LENGTHS = [(1, 1), (1, 19), (7, 8), (8, 7), (8, 8), (9, 9), (19, 7), (7, 19), (19, 19)]
B, H, D, DV = 2, 3, 5, 6
TECHNIQUES = {
    "softmax": ("naive", "stable", "stable_numpy", "tiled", "tiled_numpy"),
    "sdpa": ("naive", "stable", "stable_numpy", "tiled", "tiled_numpy"),
    "causal": ("naive", "stable", "stable_numpy", "tiled", "tiled_numpy"),
    "multi-head": ("naive", "stable", "stable_numpy", "tiled", "tiled_numpy"),
    "cross-attention": ("naive", "stable", "tiled"),
}
NAMES = {"softmax": "softmax", "sdpa": "attention", "causal": "causal_attention"}
FP16, BF16 = torch.float16, torch.bfloat16


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Products this small are slower on two threads, and much slower on a busy machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@cache
def module(exercise: str, technique: str) -> ModuleType:
    path = resource_dir("solutions") / exercise / f"{technique}.py"
    spec = importlib.util.spec_from_file_location(f"{exercise}_{technique}".replace("-", "_"), path)
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def kernel(exercise: str, technique: str) -> Callable[..., Any]:
    """The function, taking and returning torch tensors whatever it is written in, with small tiles."""
    function = getattr(module(exercise, technique), NAMES[exercise])
    extra = {"block_size": TILE} if technique.startswith("tiled") else {}
    if not technique.endswith("numpy"):
        return lambda *inputs, **named: function(*inputs, **named, **extra)

    def through_numpy(*inputs: Any, **named: Any) -> torch.Tensor:
        arrays = [x.numpy() if isinstance(x, torch.Tensor) else x for x in inputs]
        out = function(*arrays, **named, **extra)
        assert isinstance(out, np.ndarray) and out.dtype == arrays[0].dtype
        return torch.from_numpy(out)

    return through_numpy


def draw(seed: int, *shape: int, std: float = 1.0, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return (torch.randn(*shape, generator=torch.Generator().manual_seed(seed)) * std).to(dtype)


def qkv(sq: int, sk: int, dtype: torch.dtype = torch.float32, std: float = 1.5) -> tuple[torch.Tensor, ...]:
    return (
        draw(1, B, H, sq, D, std=std, dtype=dtype),
        draw(2, B, H, sk, D, std=std, dtype=dtype),
        draw(3, B, H, sk, DV, dtype=dtype) + 1,
    )


def wide(x: torch.Tensor) -> Array:
    return x.detach().double().numpy()


def masks(sq: int, sk: int) -> dict[str, torch.Tensor]:
    some = torch.rand(B, H, sq, sk, generator=torch.Generator().manual_seed(4)) > 0.4
    rows = some.clone()
    rows[0, :, 0] = False
    lengths = torch.arange(sk) < torch.tensor([[max(1, sk // 3)], [sk]])
    late = (torch.arange(sk) >= sk - 1).expand(sq, sk)  # all tiles but the last are fully masked
    bias = draw(5, B, 1, sq, sk)
    return {
        "full": some,
        "masked-row": rows,
        "all-masked": torch.zeros(sq, sk, dtype=torch.bool),
        "padding": lengths[:, None, None, :],
        "last-key-only": late,
        "one-row": some[0, 0, :1],
        "bias": bias,
        "bias-with-inf": bias.masked_fill(~rows[:, :1], -torch.inf),
        "alibi": -torch.arange(sk).float().expand(H, 1, sk) * 0.3,
    }


def relative_error(got: torch.Tensor, expected: Array, floor: float = 1e-6) -> float:
    """The largest error over the largest expected entry, or over ``floor`` where all are smaller."""
    assert tuple(got.shape) == expected.shape
    return float(np.abs(wide(got) - expected).max() / max(np.abs(expected).max(), floor))


def kernels(*exercises: str, skip: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    return [(e, t) for e in exercises for t in TECHNIQUES[e] if t not in skip]


def call(exercise: str, technique: str, q: Any, k: Any, v: Any) -> torch.Tensor:
    return kernel(exercise, technique)(q, k, v)


def test_every_solution_is_listed_and_says_what_it_is() -> None:
    found = {(path.parent.name, path.stem) for path in resource_dir("solutions").glob("*/*.py")}
    assert set(kernels(*TECHNIQUES)) <= found
    for exercise, technique in kernels(*TECHNIQUES):
        text = module(exercise, technique).__doc__ or ""
        assert all(word in text for word in ("Idea:", "Shapes:", "Cost:"))
        assert ("Not stable" in text or "not stable" in text) == (technique == "naive")


@pytest.mark.parametrize("length", [1, TILE - 1, TILE, TILE + 1, 2 * TILE + 3])
@pytest.mark.parametrize("dim", [-1, 1])
@pytest.mark.parametrize("technique", TECHNIQUES["softmax"])
def test_softmax(technique: str, dim: int, length: int) -> None:
    x = draw(6, 2, length, 3, std=3).movedim(1, dim)
    got = kernel("softmax", technique)(x, dim)
    assert relative_error(got, oracles.attention.softmax(wide(x), dim)) < 1e-6
    assert got.dtype == x.dtype


@pytest.mark.parametrize("technique", ["stable", "stable_numpy", "tiled", "tiled_numpy"])
def test_softmax_of_any_size(technique: str) -> None:
    x = draw(7, 4, 2 * TILE + 3)
    for logits in (
        x * 300,
        x + 280,
        x - 280,
        torch.linspace(-300, 300, 19).expand(4, 19),
        -torch.linspace(0, 9e4, 19)[None],
    ):
        assert relative_error(kernel("softmax", technique)(logits), oracle.softmax(wide(logits))) < 1e-6
    x[0, : TILE + 1] = -torch.inf
    x[1] = -torch.inf
    got = kernel("softmax", technique)(x)
    assert relative_error(got, oracle.softmax(wide(x))) < 1e-6
    assert not got[1].any()


def test_naive_kernels_are_as_unstable_as_they_say() -> None:
    assert kernel("softmax", "naive")(torch.tensor([100.0, 99.0, 0.0])).isnan().any()
    q, k, v = qkv(5, 5, std=20)
    assert kernel("sdpa", "naive")(q, k, v).isnan().any()
    assert kernel("causal", "naive")(q, k, v).isnan().any()


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("technique", TECHNIQUES["sdpa"])
def test_sdpa_with_every_mask(technique: str, lengths: tuple[int, int]) -> None:
    q, k, v = qkv(*lengths)
    before = [x.clone() for x in (q, k, v)]
    for name, mask in {"none": None, **masks(*lengths)}.items():
        got = kernel("sdpa", technique)(q, k, v, mask)
        expected = oracle.attention(wide(q), wide(k), wide(v), None if mask is None else mask.numpy())
        assert relative_error(got, expected) < 3e-6, name
        if name == "all-masked":
            assert not got.any()
    assert all(torch.equal(x, y) for x, y in zip((q, k, v), before, strict=True))


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("technique", TECHNIQUES["causal"])
def test_causal_is_aligned_to_the_bottom_right(technique: str, lengths: tuple[int, int]) -> None:
    q, k, v = qkv(*lengths)
    got = kernel("causal", technique)(q, k, v)
    assert relative_error(got, oracle.attention(wide(q), wide(k), wide(v), causal=True)) < 3e-6
    unseen = max(0, lengths[0] - lengths[1])
    assert not got[..., :unseen, :].any()


@pytest.mark.parametrize("technique", ["tiled", "tiled_numpy"])
def test_causal_tiles_wherever_the_diagonal_crosses_them(technique: str) -> None:
    for sk in range(1, 2 * TILE + 3):
        q, k, v = qkv(TILE + 1, sk)
        got = kernel("causal", technique)(q, k, v)
        assert relative_error(got, oracle.attention(wide(q), wide(k), wide(v), causal=True)) < 3e-6, sk


@pytest.mark.parametrize(("exercise", "technique"), kernels("sdpa", "causal", skip=("naive",)))
def test_attention_with_logits_of_any_size(exercise: str, technique: str) -> None:
    causal = exercise == "causal"
    q, k, v = qkv(19, 19)
    ramp = torch.linspace(-1, 1, 19)[:, None] * torch.ones(D)
    for left, right in (
        (q * 12, k * 12),
        (q * 0 + 17, k + 17),
        (q * 0 - 17, k + 17),
        (q * 0 + 20, ramp * 7),
        (q * 0 - 20, ramp * 7),
    ):
        keys = right.expand_as(k)
        got = call(exercise, technique, left, keys, v)
        assert relative_error(got, oracle.attention(wide(left), wide(keys), wide(v), causal=causal)) < 3e-5


@pytest.mark.parametrize("dtype", [FP16, BF16])
@pytest.mark.parametrize(("exercise", "technique"), kernels("sdpa", "causal", skip=("naive",)))
def test_attention_in_half_precision(exercise: str, technique: str, dtype: torch.dtype) -> None:
    if dtype == BF16 and technique.endswith("numpy"):
        pytest.skip("numpy has no bfloat16")
    q, k, v = qkv(19, 19, dtype, std=1.0)
    got = call(exercise, technique, q, k, v)
    assert got.dtype == dtype
    expected = oracle.attention(wide(q), wide(k), wide(v), causal=exercise == "causal")
    assert relative_error(got, expected) < 6 * torch.finfo(dtype).eps


@pytest.mark.parametrize(("exercise", "technique"), kernels("sdpa", "causal", skip=("naive",)))
def test_products_past_the_fp16_limit_stay_finite(exercise: str, technique: str) -> None:
    q, k = torch.full((1, 1, 9, 64), 40.0, dtype=FP16), torch.full((1, 1, 9, 64), 40.0, dtype=FP16)
    v = draw(8, 1, 1, 9, 4, dtype=FP16)
    assert float(q[0, 0, 0].double() @ k[0, 0, 0].double()) > 65504
    got = call(exercise, technique, q, k, v)
    assert relative_error(got, oracle.attention(wide(q), wide(k), wide(v), causal=exercise == "causal")) < 4e-3


@pytest.mark.parametrize("technique", ["stable", "stable_numpy", "tiled", "tiled_numpy"])
def test_softmax_in_half_precision(technique: str) -> None:
    for dtype in (FP16, BF16) if not technique.endswith("numpy") else (FP16,):
        x = draw(9, 3, 40, std=4, dtype=dtype)
        got = kernel("softmax", technique)(x)
        assert got.dtype == dtype
        assert relative_error(got, oracle.softmax(wide(x))) < torch.finfo(dtype).eps


def attention_gradients(q: Array, k: Array, v: Array, d_out: Array, logits_mask: Array) -> tuple[Array, Array, Array]:
    """FlashAttention-2, section 2.2, in float64; ``logits_mask`` is 0 or −inf, or a bias."""
    scale = q.shape[-1] ** -0.5
    p = oracle.softmax(q @ k.swapaxes(-1, -2) * scale + logits_mask)
    dp = d_out @ v.swapaxes(-1, -2)
    ds = p * (dp - (p * dp).sum(-1, keepdims=True))
    return ds @ k * scale, ds.swapaxes(-1, -2) @ q * scale, p.swapaxes(-1, -2) @ d_out


@pytest.mark.parametrize("lengths", [(1, 19), (9, 8), (19, 19), (19, 7)])
@pytest.mark.parametrize(("exercise", "technique"), [(e, t) for e, t in kernels("sdpa", "causal") if "numpy" not in t])
def test_gradients_of_attention(exercise: str, technique: str, lengths: tuple[int, int]) -> None:
    cases: dict[str, torch.Tensor | None]
    if exercise == "sdpa":
        every = masks(*lengths)
        cases = {"none": None} | {
            name: every[name] for name in ("masked-row", "last-key-only", "bias-with-inf", "padding")
        }
    else:
        cases = {"causal": torch.from_numpy(oracle.causal_mask(*lengths))}
    d_out = draw(10, B, H, lengths[0], DV)
    for name, mask in cases.items():
        q, k, v = (x.requires_grad_() for x in qkv(*lengths))
        arguments = (q, k, v, mask) if exercise == "sdpa" else (q, k, v)
        kernel(exercise, technique)(*arguments).backward(d_out)
        bias = (
            np.zeros(()) if mask is None else np.where(mask, 0, -np.inf) if mask.dtype == torch.bool else mask.numpy()
        )
        expected = attention_gradients(wide(q), wide(k), wide(v), wide(d_out), bias)
        for which, x, gradient in zip("qkv", (q, k, v), expected, strict=True):
            assert x.grad is not None
            assert relative_error(x.grad, gradient, floor=1.0) < 2e-5, f"d{which}, mask {name}"


@pytest.mark.parametrize("technique", ["naive", "stable", "tiled"])
def test_gradients_of_softmax(technique: str) -> None:
    x = draw(11, 3, 19, std=2)
    x[0, :9] = -torch.inf
    x[1] = -torch.inf
    if technique == "naive":
        x[1] = 0
    d_out = draw(12, 3, 19)
    leaf = x.clone().requires_grad_()
    kernel("softmax", technique)(leaf).backward(d_out)
    p = oracle.softmax(wide(x))
    expected = p * (wide(d_out) - (p * wide(d_out)).sum(-1, keepdims=True))
    assert leaf.grad is not None
    assert relative_error(leaf.grad, expected) < 2e-6


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("technique", ["tiled", "tiled_numpy"])
def test_log_sum_exp_of_the_tiled_kernels(technique: str, causal: bool) -> None:
    q, k, v = qkv(19, 9)
    mask = oracle.causal_mask(19, 9)
    exercise = "causal" if causal else "sdpa"
    function = getattr(module(exercise, technique), NAMES[exercise])
    inputs = [x.numpy() if technique.endswith("numpy") else x for x in (q, k, v)]
    _, lse = function(*inputs, block_size=TILE, return_lse=True)
    logits = wide(q) @ wide(k).swapaxes(-1, -2) / np.sqrt(D)
    with np.errstate(divide="ignore"):
        expected = np.log(np.where(mask, np.exp(logits), 0).sum(-1) if causal else np.exp(logits).sum(-1))
    assert np.allclose(np.asarray(lse), expected, atol=1e-5)
    assert np.isneginf(np.asarray(lse)[..., :10]).all() == causal


class Largest(TorchFunctionMode):
    """Remembers the largest tensor that any operation makes, and how many products there were."""

    def __init__(self) -> None:
        super().__init__()
        self.numel = 0
        self.products = 0

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        self.products += getattr(func, "__name__", "") in ("matmul", "__matmul__")
        if isinstance(out, torch.Tensor):
            self.numel = max(self.numel, out.numel())
        return out


@pytest.mark.parametrize("exercise", ["sdpa", "causal"])
def test_tiled_torch_never_holds_the_scores(exercise: str) -> None:
    n, tile = 128, 16
    q, k, v = (draw(i, 1, 1, n, 4) for i in range(3))
    function = getattr(module(exercise, "tiled"), NAMES[exercise])
    with Largest() as forward:
        function(q, k, v, block_size=tile)
    assert forward.numel <= n * 4
    tiles = n // tile
    assert forward.products == 2 * (tiles * tiles if exercise == "sdpa" else tiles * (tiles + 1) // 2)


@pytest.mark.parametrize("exercise", ["sdpa", "causal"])
def test_tiled_numpy_needs_little_memory(exercise: str) -> None:
    n = 768
    q, k, v = (draw(i, 1, 1, n, 8).numpy() for i in range(3))
    function = getattr(module(exercise, "tiled_numpy"), NAMES[exercise])
    tracemalloc.start()
    function(q, k, v, block_size=64)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < n * n * 4 / 10


MULTI = dict(zip(("q", "k", "v", "o"), (draw(20 + i, 12, 12, std=0.4) for i in range(4)), strict=True))


def multi_head(technique: str, x: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
    """Three heads with the weights of ``MULTI``, through the module or the functional form."""
    loaded = module("multi-head", technique)
    extra = {"block_size": TILE} if technique.startswith("tiled") else {}
    if hasattr(loaded, "MultiHeadAttention"):
        layer = loaded.MultiHeadAttention(12, 3, **extra)
        with torch.no_grad():
            for name, weight in MULTI.items():
                getattr(layer, f"{name}_proj").weight.copy_(weight.T)
        return layer(x, mask)  # type: ignore[no-any-return]
    weights = list(MULTI.values())
    if technique == "naive":
        return loaded.multi_head_attention(x, *weights, 3, mask)  # type: ignore[no-any-return]
    arrays = [w.numpy() for w in weights]
    given = None if mask is None else mask.numpy()
    return torch.from_numpy(loaded.multi_head_attention(x.numpy(), *arrays, 3, given, **extra))


@pytest.mark.parametrize("length", [1, TILE - 1, TILE, TILE + 1, 2 * TILE + 3])
@pytest.mark.parametrize("technique", TECHNIQUES["multi-head"])
def test_multi_head(technique: str, length: int) -> None:
    x = draw(30, B, length, 12)
    weights = {name: wide(weight) for name, weight in MULTI.items()}
    for name, mask in {"none": None, **masks(length, length)}.items():
        expected = oracle.multi_head_attention(wide(x), wide(x), weights, 3, None if mask is None else mask.numpy())
        assert relative_error(multi_head(technique, x, mask), expected) < 5e-6, name


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("technique", TECHNIQUES["cross-attention"])
def test_cross_attention(technique: str, lengths: tuple[int, int]) -> None:
    x, context = draw(31, B, lengths[0], 12), draw(32, B, lengths[1], 7)
    extra = {"block_size": TILE} if technique == "tiled" else {}
    layer = module("cross-attention", technique).CrossAttention(12, 3, d_context=7, **extra)
    weights = {name: wide(getattr(layer, f"{name}_proj").weight.T) for name in "qkvo"}
    real = torch.arange(lengths[1]) < torch.tensor([[max(1, lengths[1] // 2)], [lengths[1]]])
    none = torch.zeros_like(real)
    for mask in (None, real, none):
        got = layer(x, context, mask)
        given = None if mask is None else mask[:, None, None, :].numpy()
        assert relative_error(got, oracle.multi_head_attention(wide(x), wide(context), weights, 3, given)) < 5e-6
    assert not layer(x, context, none).any()


@pytest.mark.parametrize(("exercise", "technique"), kernels("multi-head", "cross-attention"))
def test_gradients_reach_every_weight_and_are_finite(exercise: str, technique: str) -> None:
    loaded = module(exercise, technique)
    cls = getattr(loaded, "MultiHeadAttention", None) or getattr(loaded, "CrossAttention", None)
    if cls is None:
        pytest.skip("a function of weights, covered by its values")
    layer, x = cls(12, 3), draw(33, B, 9, 12).requires_grad_()
    mask = torch.ones(B, 9, dtype=torch.bool)
    mask[0] = False
    out = layer(x, mask[:, None, None, :]) if exercise == "multi-head" else layer(x, draw(34, B, 9, 12), mask)
    out.square().sum().backward()
    for name, weight in layer.named_parameters():
        assert weight.grad is not None and weight.grad.isfinite().all() and weight.grad.any(), name
    assert x.grad is not None and x.grad.isfinite().all()


def test_multi_head_modules_agree_in_double_precision_and_half() -> None:
    stable, tiled = module("multi-head", "stable"), module("multi-head", "tiled")
    for dtype, allowed in ((torch.float64, 1e-13), (FP16, 4e-3), (BF16, 3e-2)):
        one = stable.MultiHeadAttention(12, 3).to(dtype)
        other = tiled.MultiHeadAttention(12, 3, block_size=TILE).to(dtype)
        other.load_state_dict(one.state_dict())
        x = draw(35, B, 19, 12, dtype=dtype)
        assert one(x).dtype == other(x).dtype == dtype
        assert relative_error(one(x), wide(other(x))) < allowed


def bad_arguments() -> Iterator[tuple[str, str, Callable[[ModuleType, Any], Any], str]]:
    def attend(name: str, *shapes: tuple[int, ...], **named: Any) -> Callable[[ModuleType, Any], Any]:
        return lambda loaded, make: getattr(loaded, name)(*(make(*shape) for shape in shapes), **named)

    q, k, v = (2, 3, 4, 5), (2, 3, 7, 5), (2, 3, 7, 6)
    for technique in ("stable", "stable_numpy", "tiled", "tiled_numpy"):
        for exercise, name in (("sdpa", "attention"), ("causal", "causal_attention")):
            yield exercise, technique, attend(name, (5,), k, v), r"q: .*\(5,\).*expected"
            yield exercise, technique, attend(name, q, (2, 3, 7, 4), v), r"k: shape \(2, 3, 7, 4\), expected"
            yield exercise, technique, attend(name, q, (2, 1, 7, 5), v), r"k: shape \(2, 1, 7, 5\), expected"
            yield exercise, technique, attend(name, q, k, (2, 3, 8, 6)), r"v: shape \(2, 3, 8, 6\), expected"
        yield (
            "sdpa",
            technique,
            attend("attention", q, k, v, (4, 6)),
            r"mask: shape \(4, 6\), expected .*\(2, 3, 4, 7\)",
        )
        yield "sdpa", technique, attend("attention", q, k, v, (1, 2, 3, 4, 7)), r"mask: shape .*expected"
        yield "softmax", technique, attend("softmax", (2, 0)), r"x: shape \(2, 0\), expected at least one entry"
        if technique.startswith("tiled"):
            yield "sdpa", technique, attend("attention", q, k, v, block_size=0), "block_size: 0, expected an integer"
            yield "causal", technique, attend("causal_attention", q, k, v, block_size=0), "block_size: 0, expected"
            yield "softmax", technique, attend("softmax", (3,), block_size=0), "block_size: 0, expected an integer"
    x, w = (2, 4, 12), (12, 12)
    for technique in ("stable_numpy", "tiled_numpy"):
        yield (
            "multi-head",
            technique,
            attend("multi_head_attention", x, w, w, w, w, n_heads=5),
            "n_heads: 5, expected a divisor",
        )
        yield (
            "multi-head",
            technique,
            attend("multi_head_attention", x, w, (12, 6), w, w, n_heads=3),
            r"w_k: .*shape \(12, 6\), expected .*\(12, 12\)",
        )
        yield "multi-head", technique, attend("multi_head_attention", (4, 12), w, w, w, w, n_heads=3), r"x: .*\(4, 12\)"
    for technique in ("stable", "tiled"):
        yield (
            "multi-head",
            technique,
            lambda m, _: m.MultiHeadAttention(12, 5),
            "n_heads: 5, expected a divisor of d_model = 12",
        )
        yield (
            "multi-head",
            technique,
            lambda m, make: m.MultiHeadAttention(12, 3)(make(2, 4, 8)),
            r"x: .*shape \(2, 4, 8\), expected .*\(batch, seq, 12\)",
        )
        yield "cross-attention", technique, lambda m, _: m.CrossAttention(12, 5), "n_heads: 5, expected a divisor"
        yield (
            "cross-attention",
            technique,
            lambda m, make: m.CrossAttention(12, 3)(make(2, 4, 12), make(3, 4, 12)),
            r"context: .*shape \(3, 4, 12\), expected .*\(2, at least 1, 12\)",
        )
        yield (
            "cross-attention",
            technique,
            lambda m, make: m.CrossAttention(12, 3)(make(2, 4, 12), make(2, 5, 12), make(2, 4)),
            r"context_mask: .*expected torch.bool of shape \(2, 5\)",
        )


@pytest.mark.parametrize(("exercise", "technique", "misuse", "message"), bad_arguments())
def test_bad_arguments_are_named(
    exercise: str, technique: str, misuse: Callable[[ModuleType, Any], Any], message: str
) -> None:
    make = np.zeros if technique.endswith("numpy") else torch.zeros
    shaped = (lambda *shape: make(shape, np.float32)) if make is np.zeros else make
    with pytest.raises(ValueError, match=message):
        misuse(module(exercise, technique), shaped)


@pytest.mark.parametrize("technique", ["stable", "stable_numpy", "tiled", "tiled_numpy"])
def test_integers_are_refused(technique: str) -> None:
    whole: Any = np.zeros((2, 3), np.int64) if technique.endswith("numpy") else torch.zeros(2, 3, dtype=torch.long)
    with pytest.raises(ValueError, match=r"x: .*int64 of shape"):
        module("softmax", technique).softmax(whole)
    real = whole.astype(np.float32) if technique.endswith("numpy") else whole.float()
    with pytest.raises(ValueError, match=r"mask: .*int64 of shape .*, expected bool"):
        module("sdpa", technique).attention(real, real, real, whole[:, :2])


@pytest.mark.parametrize(("exercise", "technique"), kernels("sdpa", "causal"))
def test_views_and_other_ranks(exercise: str, technique: str) -> None:
    q, k, v = (x.transpose(1, 2).contiguous().transpose(1, 2) for x in qkv(9, 10))
    assert not q.is_contiguous()
    expected = oracle.attention(wide(q), wide(k), wide(v), causal=exercise == "causal")
    assert relative_error(call(exercise, technique, q, k, v), expected) < 3e-6
    assert relative_error(call(exercise, technique, q[0, 0], k[0, 0], v[0, 0]), expected[0, 0]) < 3e-6


def test_solutions_import_nothing_of_the_project() -> None:
    for path in Path(resource_dir("solutions")).glob("*/*.py"):
        assert "interview_coach" not in path.read_text(encoding="utf-8"), path
