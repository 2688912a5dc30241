"""The wall between the grader and a submission: what goes in, what comes out, what is watched."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pytest

from interview_coach.grading.failures import REASONS, explain
from interview_coach.grading.guest import Guest
from interview_coach.grading.imports import imported_modules
from interview_coach.grading.protocol import Call, DTypeName, Limits, Opaque, Outcome, Record, Ref, Source, Tensor
from interview_coach.grading.sandbox import Sandbox, SubmissionError


@pytest.fixture(scope="module")
def sandbox(sandbox: Sandbox) -> Iterator[Sandbox]:
    usual, sandbox.limits = sandbox.limits, Limits(load_s=60, call_s=60)
    yield sandbox
    sandbox.limits = usual


def module(text: str, folder: str | None = None) -> Source:
    return Source(textwrap.dedent(text), "sample.py", folder)


def tensor(data: Any, dtype: str = "float32", **options: Any) -> Tensor:
    stored = "float32" if dtype == "bfloat16" else dtype
    return Tensor(np.asarray(data, stored), dtype, **options)


def run(sandbox: Sandbox, text: str, *args: Any, **options: Any) -> Outcome:
    """Call the function ``f`` of a submission."""
    with sandbox.open(module(text)) as guest:
        return guest.call(Call("f", args, **options))


def value(outcome: Outcome) -> Any:
    assert outcome.failure is None, outcome.failure
    return outcome.value


def data(found: Any) -> npt.NDArray[Any]:
    assert isinstance(found, Tensor)
    return found.data


# What goes in


def test_a_numpy_file_never_sees_torch() -> None:
    with Sandbox() as fresh:
        text = "import numpy as np, sys\ndef f(x):\n    return 'torch' in sys.modules"
        with fresh.open(module(text)) as guest:
            assert value(guest.call(Call("f", (tensor([1.0]),), framework="numpy"))) is False
            assert guest.info.imports_torch is False


@pytest.mark.parametrize("framework", ["torch", "numpy"])
@pytest.mark.parametrize(
    ("memory", "strides"),
    [("contiguous", (20, 5, 1)), ("transposed", (20, 1, 4)), ("split", (5, 15, 1)), ("sliced", (44, 11, 2))],
)
def test_memory_layouts_hold_the_same_values(
    sandbox: Sandbox, framework: Literal["torch", "numpy"], memory: Any, strides: tuple[int, ...]
) -> None:
    text = """
        import numpy, torch
        def f(x):
            if isinstance(x, torch.Tensor):
                return x, list(x.stride()), x.storage_offset()
            return x, [s // x.itemsize for s in x.strides], int(x.base is not None)
    """
    x = np.random.default_rng(0).normal(size=(3, 4, 5)).astype(np.float32)
    found, seen, offset = value(run(sandbox, text, Tensor(x, "float32", memory=memory), framework=framework))
    np.testing.assert_array_equal(data(found), x)
    assert tuple(seen) == strides
    assert (offset > 0) == (memory == "sliced" or (framework == "numpy" and memory in ("transposed", "split")))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "int64", "int32", "uint8", "bool"])
def test_dtypes_go_through_both_ways(sandbox: Sandbox, dtype: str) -> None:
    x = np.array([[0, 1, 1], [1, 0, 1]])
    text = f"import torch\ndef f(x):\n    assert x.dtype == torch.{dtype}\n    return x"
    found = value(run(sandbox, text, tensor(x, dtype)))
    assert (found.dtype, found.framework, found.type_name, found.device) == (dtype, "torch", "Tensor", "cpu")
    np.testing.assert_array_equal(found.data, x)


def test_structured_arguments(sandbox: Sandbox) -> None:
    text = """
        import torch
        def f(config, items, dtype, flag=None, **rest):
            return [config.n_heads, config["d_model"], dict(**config), items["a"][1].sum().item(),
                    dtype is torch.float16, flag, sorted(rest)]
    """
    found = run(
        sandbox,
        text,
        Record({"n_heads": 2, "d_model": 8}),
        {"a": [1, tensor([1.0, 2.0])]},
        DTypeName("float16"),
        kwargs={"flag": (1, None), "other": 2.5},
    )
    assert value(found) == [2, 8, {"n_heads": 2, "d_model": 8}, 3.0, True, (1, None), ["other"]]


# What comes out


def test_structured_results(sandbox: Sandbox) -> None:
    text = """
        import collections, dataclasses, torch
        Pair = collections.namedtuple("Pair", "out lse")
        @dataclasses.dataclass
        class Result:
            out: object
            note: str = "ok"
        class Thing: pass
        def f(x):
            return [Pair(x, x.sum()), Result(x), {"k": (x, None), 3: 1.5}, Thing(), torch.nn.Linear(1, 1), 2**70, "s"]
    """
    found = value(run(sandbox, text, tensor([1.0, 2.0])))
    pair, result, mapping, *rest = found
    np.testing.assert_array_equal(data(pair[0]), [1, 2])
    assert isinstance(pair, tuple)
    assert data(pair[1]).shape == ()
    assert result["note"] == "ok"
    assert mapping[3] == 1.5
    assert mapping["k"][1] is None
    assert rest == [Opaque("Thing"), Opaque("torch.nn.modules.linear.Linear"), Opaque("int"), "s"]


def test_numpy_results(sandbox: Sandbox) -> None:
    text = """
        import numpy as np
        def f(x):
            return x[::-1], np.float64(2), np.ma.masked_array(x, [True, False]), np.array([object()]), x.astype(">f4")
    """
    reverse, scalar, masked, objects, swapped = value(run(sandbox, text, tensor([1.0, 2.0]), framework="numpy"))
    np.testing.assert_array_equal(data(reverse), [2, 1])
    assert (scalar.dtype, data(scalar).shape) == ("float64", ())
    assert (masked.type_name, list(data(masked))) == ("MaskedArray", [1.0, 2.0])
    assert objects == Opaque("numpy.ndarray")
    np.testing.assert_array_equal(data(swapped), [1, 2])


def test_a_tensor_subclass_cannot_lie_about_its_values(sandbox: Sandbox) -> None:
    text = """
        import torch
        class Liar(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                print("asked", func)
                return torch.zeros(2)
            @classmethod
            def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
                print("asked", func)
                return torch.zeros(2)
            def detach(self): return torch.zeros(2)
            def numpy(self): return torch.zeros(2).numpy()
            def __eq__(self, other): return True
        class Hollow(torch.Tensor):
            @staticmethod
            def __new__(cls):
                return torch.Tensor._make_wrapper_subclass(cls, (2,), dtype=torch.float32)
            @classmethod
            def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
                print("asked", func)
                return torch.zeros(2)
        def f(x):
            return torch._C.TensorBase.as_subclass(x, Liar), Hollow()
    """
    with sandbox.open(module(text)) as guest:
        liar, hollow = value(guest.call(Call("f", (tensor([1.0, 2.0]),))))
        assert guest.stdout == ""
    assert liar.type_name == "Liar"
    np.testing.assert_array_equal(data(liar), [1, 2])
    assert hollow == Opaque("Hollow")


def test_arguments_that_changed_are_named(sandbox: Sandbox) -> None:
    text = """
        import torch
        def f(a, b, *, c, d):
            b[0] += 1
            c["x"][0].zero_()
            d.resize_(1)
            return a
    """
    found = run(
        sandbox,
        text,
        tensor([1.0]),
        tensor([1.0], "bfloat16", memory="sliced"),
        kwargs={"c": {"x": [tensor([1.0])]}, "d": tensor([1.0, 2.0])},
    )
    assert found.mutated == ("1", "c", "d")


# Gradients


def test_gradients_by_position_and_by_name(sandbox: Sandbox) -> None:
    text = "import torch\ndef f(a, b, c=None, d=None):\n    return {'out': [a * b + 0 * c]}"
    a, b, d = (
        tensor([1.0, 2.0], requires_grad=True),
        tensor([3.0, 4.0], requires_grad=True),
        tensor([1.0], requires_grad=True),
    )
    found = run(
        sandbox,
        text,
        a,
        b,
        kwargs={"c": tensor([1.0, 1.0]), "d": d},
        cotangent=tensor([1.0, 10.0]),
        output_path=("out", 0),
    )
    assert found.gradient_failure is None
    first, second, third = found.gradients
    np.testing.assert_array_equal(data(first), [3, 40])
    np.testing.assert_array_equal(data(second), [1, 20])
    assert third is None


def test_a_result_without_a_graph_says_so(sandbox: Sandbox) -> None:
    text = "import torch\ndef f(a):\n    return torch.from_numpy(a.detach().numpy() * 2)"
    found = run(sandbox, text, tensor([1.0], requires_grad=True), cotangent=tensor([1.0]))
    assert found.failure is None
    assert found.gradient_failure is not None
    assert found.gradient_failure.reason == "no-graph"


# Objects that are kept


LAYER = """
    import numpy as np
    import torch
    from torch import nn
    class Layer(nn.Module):
        def __init__(self, d_model, n_heads=2):
            super().__init__()
            self.n_heads = n_heads
            self.proj = nn.Linear(d_model, d_model)
            self.heads = [nn.Linear(d_model, 1, bias=False)]
            self.register_buffer("table", torch.ones(2))
            self.plain = torch.full((1,), 7.0)
            self.drop = nn.Dropout(0.9)
        def forward(self, x, cache=None):
            return self.drop(self.proj(x)), (cache or []) + [x]
    class Plain:
        def __init__(self):
            self.w = np.ones((2, 2))
            self.scale = 3
        def __call__(self, x):
            return x @ self.w
"""


def test_state_of_a_module_is_read_and_set(sandbox: Sandbox) -> None:
    with sandbox.open(module(LAYER)) as guest:
        layer = guest.call(Call("Layer", (3,)))
        assert layer.value == Opaque("Layer")
        assert layer.ref is not None
        state = guest.state(layer.ref)
        assert {name: array.data.shape for name, array in state.parameters.items()} == {
            "proj.weight": (3, 3),
            "proj.bias": (3,),
            "heads.0.weight": (1, 3),
        }
        assert set(state.buffers) == {"table", "plain"}
        assert state.submodules["proj"] == "Linear"
        assert state.attributes["n_heads"] == 2
        guest.assign(layer.ref, {"proj.weight": tensor(2 * np.eye(3)), "proj.bias": tensor(np.zeros(3))})
        x = tensor([[1.0, 2.0, 3.0]])
        out = guest.call(Call(layer.ref, (x,)))
        np.testing.assert_array_equal(data(value(out)[0]), [[2, 4, 6]])
        assert out.ref is not None
        again = guest.call(Call(layer.ref, (x, Ref(out.ref.call, (1,))), method="forward"))
        assert len(value(again)[1]) == 2
        guest.convert(layer.ref, "float16")
        half = guest.call(Call(layer.ref, (tensor(x.data, "float16"),)))
        assert value(half)[0].dtype == "float16"


def test_a_wrong_name_or_shape_is_refused(sandbox: Sandbox) -> None:
    with sandbox.open(module(LAYER)) as guest:
        ref = guest.call(Call("Layer", (3,))).ref
        assert ref is not None
        with pytest.raises(SubmissionError, match=r"no proj\.nothing"):
            guest.assign(ref, {"proj.nothing": tensor([1.0])})
        with pytest.raises(SubmissionError, match=r"\(3, 3\), not \(1,\)"):
            guest.assign(ref, {"proj.weight": tensor([1.0])})


def test_state_of_a_plain_object(sandbox: Sandbox) -> None:
    with sandbox.open(module(LAYER)) as guest:
        ref = guest.call(Call("Plain")).ref
        assert ref is not None
        state = guest.state(ref)
        assert (list(state.parameters), state.attributes) == (["w"], {"scale": 3})
        guest.assign(ref, {"w": tensor([[0.0, 1.0], [1.0, 0.0]])})
        found = guest.call(Call(ref, (tensor([[5.0, 6.0]]),), framework="numpy"))
        np.testing.assert_array_equal(data(value(found)), [[6, 5]])


def test_kept_values_are_lost_with_the_process(sandbox: Sandbox) -> None:
    text = "import os\ndef make():\n    return [1]\ndef end():\n    os._exit(5)\ndef f(x):\n    return x"
    with sandbox.open(module(text)) as guest:
        kept = guest.call(Call("make")).ref
        assert kept is not None
        assert value(guest.call(Call("f", (kept,)))) == [1]
        ended = guest.call(Call("end")).failure
        assert ended is not None
        assert ended.message == "ended its process with exit code 5"
        lost = guest.call(Call("f", (kept,))).failure
        assert lost is not None
        assert (lost.kind, lost.reason) == ("crash", "lost")
        assert value(guest.call(Call("f", (2,)))) == 2
        for _ in range(6):
            guest.call(Call("end"))
        refused = guest.call(Call("f", (2,))).failure
        assert refused is not None
        assert refused.reason == "ended-often"


def test_time_in_all_is_limited() -> None:
    text = "import time\ndef f(seconds):\n    time.sleep(seconds)"
    with Sandbox(limits=Limits(call_s=60.0, total_s=1.0)) as made, made.open(module(text)) as guest:
        assert guest.call(Call("f", (0.01,))).failure is None
        for _ in range(2):
            failed = guest.call(Call("f", (5.0,))).failure
            assert failed is not None
            assert (failed.kind, failed.message) == ("timeout", "took longer than 1 s in all")


# What is watched


LIBRARY = {
    "torch.nn.functional.scaled_dot_product_attention(x, x, x)": "scaled_dot_product_attention",
    "torch._C._nn.scaled_dot_product_attention(x, x, x)": "scaled_dot_product_attention",
    "torch.ops.aten.scaled_dot_product_attention(x, x, x)": "scaled_dot_product_attention",
    "torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(x, x, x)[0]": "scaled_dot_product_attention",
    "eval('torch.nn.func' + 'tional.scaled_dot_pro' + 'duct_attention(x, x, x)', dict(torch=torch, x=x))": (
        "scaled_dot_product_attention"
    ),
    "torch.jit.script(scripted)(x)": "scaled_dot_product_attention",
    "nn.MultiheadAttention(4, 2).eval()(x[0, 0], x[0, 0], x[0, 0])[0]": "multi_head_attention",
    "torch.no_grad()(nn.MultiheadAttention(4, 2, batch_first=True).eval())(x[0], x[0], x[0])[0]": (
        "multi_head_attention"
    ),
    "torch.softmax(x, -1)": "softmax",
    "x.softmax(-1)": "softmax",
    "nn.Softmax(-1)(x)": "softmax",
    "torch.log_softmax(x, -1)": "log_softmax",
    "nn.functional.cross_entropy(x[0, 0], torch.tensor([0, 1]), label_smoothing=0.1)": "cross_entropy.label_smoothing",
    "torch.autograd.grad((x.requires_grad_() * 2).sum(), x)[0]": "autograd",
    "torch.func.grad(lambda a: (a * a).sum())(x)": "autograd",
    "flex_attention(x, x, x)": "flex_attention",
}


@pytest.fixture(scope="module")
def library(sandbox: Sandbox) -> Iterator[Guest]:
    functions = "\n".join(f"def f{i}(x):\n    return {body}" for i, body in enumerate(LIBRARY))
    head = """
import torch
from torch import nn
from torch.nn.attention.flex_attention import flex_attention
def scripted(x):
    return torch.nn.functional.scaled_dot_product_attention(x, x, x)
"""
    with sandbox.open(Source(head + functions, "library.py")) as guest:
        yield guest


SLOW = ("torch.func", "flex_attention")
"""Torch itself imports a compiler for these."""


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(i, id=body, marks=[pytest.mark.slow] if body.startswith(SLOW) else [])
        for i, body in enumerate(LIBRARY)
    ],
)
def test_library_calls_are_seen_however_they_are_reached(library: Guest, number: int) -> None:
    x = tensor(np.random.default_rng(0).normal(size=(1, 2, 2, 4)))
    found = library.call(Call(f"f{number}", (x,), watch=frozenset({"library"})))
    assert found.failure is None, found.failure
    assert [*LIBRARY.values()][number] in found.library


def test_a_function_named_like_the_library_is_not_the_library(sandbox: Sandbox) -> None:
    text = """
        import torch
        def scaled_dot_product_attention(q, k, v):
            return torch.exp(q @ k.mT) @ v
        def f(x):
            return scaled_dot_product_attention(x, x, x)
    """
    assert run(sandbox, text, tensor(np.eye(3)), watch=frozenset({"library"})).library == ()


def test_memory_and_work_are_counted(sandbox: Sandbox) -> None:
    text = """
        import torch
        def f(q, k):
            s = q @ k.mT
            t = s.view(-1)[1:]
            s = s + 1
            u = s * 2
            return u.sum()
    """
    q, k = tensor(np.ones((5, 3))), tensor(np.ones((7, 3)))
    cost = run(sandbox, text, q, k, watch=frozenset({"memory"})).cost
    assert cost is not None
    # Three matrices of 5 x 7 floats are alive when u is made: t keeps the first.
    assert cost.largest_bytes == 5 * 7 * 4
    assert 3 * 5 * 7 * 4 <= cost.peak_bytes <= 3 * 5 * 7 * 4 + 16
    assert cost.flops == 2 * 5 * 3 * 7


def test_memory_of_numpy_is_counted(sandbox: Sandbox) -> None:
    text = "import numpy as np\ndef f(n):\n    return float(np.ones((n, n)).sum())"
    small, large = (run(sandbox, text, n, framework="numpy", watch=frozenset({"memory"})).cost for n in (100, 1000))
    assert small is not None
    assert large is not None
    assert 8e6 <= large.peak_bytes <= 8.2e6
    assert small.peak_bytes <= 2e5


UNINITIALISED = (
    "torch.empty(4)", "torch.empty_like(x)", "x.new_empty(4)", "torch.empty_strided((4,), (1,))", "torch.Tensor(4)",
    "x.new(4)", "torch.zeros(1).resize_(4)[1:]", "torch.FloatTensor(4)", "np.empty(4)", "empty((2, 2))",
    "np.empty_like(np.ones(4))", "torch.from_numpy(np.empty(4))", "torch.empty(4, dtype=torch.bfloat16)",
)  # fmt: skip


@pytest.mark.parametrize("expression", UNINITIALISED)
def test_uninitialised_memory_is_nan(sandbox: Sandbox, expression: str) -> None:
    text = f"import numpy as np, torch\nfrom numpy import empty\ndef f(x):\n    return {expression}"
    found = value(run(sandbox, text, tensor(np.ones(4))))
    assert np.isnan(data(found)).all()


def test_uninitialised_memory_that_is_filled_is_fine(sandbox: Sandbox) -> None:
    text = """
        import numpy as np, torch
        def f(x):
            a, b = torch.empty(4), np.empty(4, dtype=int)
            a[:] = x
            b[:] = 3
            return a, b, torch.empty(2, dtype=torch.long), torch.ones(2) + torch.ones(2)
    """
    a, b, numbers, two = value(run(sandbox, text, tensor(np.ones(4))))
    np.testing.assert_array_equal(data(a), np.ones(4))
    np.testing.assert_array_equal(data(b), [3, 3, 3, 3])
    assert (data(numbers) == 2**63 - 1).all()
    np.testing.assert_array_equal(data(two), [2, 2])


def test_torch_state_is_set_back_before_each_call(sandbox: Sandbox) -> None:
    text = """
        import random, numpy as np, torch
        torch.set_default_dtype(torch.float64)
        torch.set_grad_enabled(False)
        torch.inference_mode().__enter__()
        torch.set_num_threads(2)
        np.seterr(all="raise")
        def f():
            found = [str(torch.get_default_dtype()), torch.is_grad_enabled(), torch.is_inference_mode_enabled(),
                     torch.get_num_threads(), np.geterr()["over"],
                     torch.rand(()).item(), random.random(), np.random.rand()]
            torch.set_default_dtype(torch.float16)
            torch.set_default_device("meta")
            torch._C._set_deterministic_algorithms(False)
            np.set_printoptions(precision=1)
            return found
    """
    with sandbox.open(module(text)) as guest:
        first, second = value(guest.call(Call("f"))), value(guest.call(Call("f")))
    assert first[:5] == second[:5] == ["torch.float32", True, False, 1, "warn"]
    # Random numbers differ from call to call, so that what depends on them shows; the next process repeats them.
    assert first[5:] != second[5:]
    with sandbox.open(module(text)) as guest:
        assert [value(guest.call(Call("f"))), value(guest.call(Call("f")))] == [first, second]


# Triton


TRITON = """
    import torch, triton
    import triton.language as tl
    DEVICE = triton.runtime.driver.active.get_active_torch_device()
    @triton.autotune(configs=[triton.Config({"B": 4}), triton.Config({"B": 8})], key=["n"])
    @triton.jit
    def double(x, y, n, B: tl.constexpr):
        i = tl.program_id(0) * B + tl.arange(0, B)
        tl.store(y + i, 2 * tl.load(x + i, mask=i < n), mask=i < n)
    def f(x):
        assert torch.cuda.is_available() and x.is_cuda and x.device == DEVICE
        x = x.cuda().to("cuda:0").to(device=torch.device("cuda"))
        y = torch.empty(x.numel(), device="cuda")
        with torch.cuda.device(0):
            double[lambda meta: (triton.cdiv(x.numel(), meta["B"]),)](x, y, x.numel())
        torch.cuda.synchronize()
        return torch.nn.Identity().cuda()(y)
"""


def test_triton_runs_in_its_interpreter(sandbox: Sandbox) -> None:
    pytest.importorskip("triton")
    with sandbox.open(module(TRITON)) as guest:
        found = value(guest.call(Call("f", (tensor([1.0, 2.0, 3.0]),))))
        assert guest.info.imports_triton
    assert found.device == "cpu"
    np.testing.assert_array_equal(data(found), [2, 4, 6])


# Modules


def test_what_a_module_offers(sandbox: Sandbox) -> None:
    text = """
        import functools, math, torch
        from math import sqrt
        from torch import nn, einsum
        from typing import Optional
        Mask = Optional[torch.Tensor]
        def plain(q, k: "Tensor", v=None, *rest, scale: float = 0.5, **more):
            '''What it does.'''
        class Layer(nn.Module):
            def __init__(self, d_model, n_heads=4):
                super().__init__()
            def forward(self, x, mask=None): return x
            def reset(self): pass
            def _private(self): pass
        class Op(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x): return x
        alias = plain
        half = functools.partial(plain, 1)
        softmax = torch.softmax
        layer = Layer(4)
        @functools.lru_cache
        def cached(n): return n
        if True:
            def inner(a): return a
        shorter = lambda x: x
        class Caller:
            def __call__(self, q): return q
        caller = Caller()
    """
    with sandbox.open(module(text)) as guest:
        found = {item.name: item for item in guest.info.callables}
        assert guest.info.imports_torch
    assert list(found) == [
        "plain", "Layer", "Op", "half", "softmax", "layer", "cached", "inner", "shorter", "Caller", "caller",
    ]  # fmt: skip
    plain = found["plain"]
    assert (plain.kind, plain.line, plain.doc, plain.aliases) == ("function", 7, "What it does.", ("alias",))
    assert [(p.name, p.kind, p.default, p.annotation) for p in plain.parameters] == [
        ("q", "positional_or_keyword", None, ""),
        ("k", "positional_or_keyword", None, "Tensor"),
        ("v", "positional_or_keyword", "None", ""),
        ("rest", "var_positional", None, ""),
        ("scale", "keyword_only", "0.5", "float"),
        ("more", "var_keyword", None, ""),
    ]
    layer = found["Layer"]
    assert (layer.kind, layer.is_module) == ("class", True)
    assert [p.name for p in layer.parameters] == ["d_model", "n_heads"]
    assert {name: [p.name for p in items] for name, items in layer.methods.items()} == {
        "forward": ["x", "mask"],
        "reset": [],
    }
    assert found["Op"].is_autograd_function
    assert [p.name for p in found["Op"].methods["forward"]] == ["ctx", "x"]
    assert (found["layer"].kind, [p.name for p in found["layer"].parameters]) == ("instance", ["x", "mask"])
    assert (found["caller"].kind, [p.name for p in found["caller"].parameters]) == ("instance", ["q"])
    assert [p.name for p in found["cached"].parameters] == ["n"]
    assert found["softmax"].kind == found["half"].kind == "function"


def test_sibling_modules_are_found_and_shadow_nothing(sandbox: Sandbox, tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (tmp_path / "helpers.py").write_text("ONE = 1")
    (tmp_path / "json.py").write_text("raise RuntimeError('shadowed')")
    (package / "__init__.py").write_text("raise RuntimeError('not to be run')")
    (package / "near.py").write_text("from ..helpers import ONE as TWO\nTWO += 1")
    text = (
        "import json\nimport helpers\nfrom .near import TWO\nfrom ..helpers import ONE\ndef f():\n    return [ONE, TWO]"
    )
    with sandbox.open(Source(textwrap.dedent(text), str(package / "mine.py"), str(package))) as guest:
        assert value(guest.call(Call("f"))) == [1, 2]


def test_imports_are_told_apart_from_what_was_there(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text("import torch")
    for text, imports in (("import torch", True), ("import numpy", False), ("import helpers", True)):
        with sandbox.open(module(text, str(tmp_path))) as guest:
            assert guest.info.imports_torch is imports


def test_main_is_not_run(sandbox: Sandbox) -> None:
    assert value(run(sandbox, "def f():\n    return 1\nif __name__ == '__main__':\n    f = None")) == 1


def test_imports_are_read_off_the_source() -> None:
    text = "import torch.nn as nn\nfrom scipy.special import softmax\n'''import jax'''\nfrom . import a"
    assert imported_modules(text) == [
        "scipy", "scipy.special", "torch", "torch.nn",
    ]  # fmt: skip
    assert imported_modules("import torch\ndef (:") == ["torch"]


# Other ways to start


@pytest.mark.parametrize("start", ["namespace", "fork", "spawn"])
def test_all_ways_to_start_give_the_same(start: Literal["namespace", "fork", "spawn"]) -> None:
    text = """
        import os, sys, numpy as np
        print("loading")
        def f(x):
            print("calling", file=sys.stderr)
            return x.sum(-1), os.environ.get("SECRET_TOKEN"), sys.stdin.read()
        def end():
            os.kill(os.getpid(), 11)
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SECRET_TOKEN", "hidden")
        with Sandbox(limits=Limits(call_s=5), start=start) as made, made.open(module(text)) as guest:
            x = np.arange(6, dtype=np.float32).reshape(2, 3)
            found, secret, typed = value(guest.call(Call("f", (tensor(x),), framework="numpy")))
            np.testing.assert_array_equal(data(found), [3, 12])
            assert (secret, typed) == (None, "")
            failed = guest.call(Call("end")).failure
            assert failed is not None
            assert failed.message == "was killed by SIGSEGV"
            assert value(guest.call(Call("f", (tensor(x),), framework="numpy")))[1] is None
            assert guest.stdout == "loading\ncalling\nloading\ncalling\n"


def test_isolation() -> None:
    with Sandbox(isolate=True) as made:
        if made.isolation_note:
            pytest.skip(made.isolation_note)
        text = """
            import pathlib, socket
            def f(path):
                pathlib.Path("here").write_text("fine")
                try:
                    pathlib.Path(path).write_text("not fine")
                except OSError:
                    pass
                try:
                    socket.create_connection(("127.0.0.1", 9), timeout=1)
                except OSError as error:
                    return type(error).__name__, len(socket.if_nameindex())
        """
        outside = Path(__file__).parent / "written-by-a-submission"
        with made.open(module(text)) as guest:
            assert value(guest.call(Call("f", (str(outside),)))) == ("ConnectionRefusedError", 1)
        assert not outside.exists()


def test_without_bubblewrap_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with Sandbox(isolate=True) as made:
        assert made.isolation_note == "not isolated: bubblewrap (bwrap) is not installed"
        assert value(run(made, "def f():\n    return 1")) == 1


def test_temporary_folders_are_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    text = "import os\ndef f():\n    os.mkdir('a'); open('a/b', 'w').close(); os.chmod('a', 0)"
    with Sandbox() as made:
        run(made, text)
        assert len(list(tmp_path.rglob("*"))) == 1
    assert list(tmp_path.iterdir()) == []


def test_messages_are_there_in_both_languages(sandbox: Sandbox) -> None:
    failed = run(sandbox, "def f():\n    raise ValueError('no')").failure
    assert failed is not None
    assert failed.message == explain(failed, "en") == "raises ValueError: no"
    assert explain(failed, "zh") == "抛出 ValueError：no"
    assert all(text.en and text.zh for _, text in REASONS.values())
