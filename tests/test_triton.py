"""Triton without a GPU: the interpreter's memory, CUDA as a device, grades of kernels, and the kernel to learn from."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml

from benchmarks import gpu
from interview_coach.grading.codes import BUG_CLASSES
from interview_coach.grading.diagnosis import Seen
from interview_coach.grading.engine import grade
from interview_coach.grading.family import AttentionInputs
from interview_coach.grading.growth import MEMORY
from interview_coach.grading.kernel_faults import Fault, Memory, explain_kernel, faults, simulate
from interview_coach.grading.layouts import DIRECT
from interview_coach.grading.numbers import relative_error
from interview_coach.grading.protocol import Call, Outcome, Source, Tensor
from interview_coach.grading.reference import truth
from interview_coach.grading.sandbox import Sandbox
from interview_coach.resources import resource_dir

CORPUS = Path(__file__).parent / "corpus" / "triton"
SOLUTION = resource_dir("solutions") / "triton-flash" / "tiled.py"
QUICK = {"keys_by_query_strides.py"}
"""Graded by every run of the tests; a grade takes seconds."""

needs_triton = pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="triton is not installed")


# What kernels do to memory, and what the interpreter lacks

KERNELS = """
import torch, triton
import triton.language as tl
from triton.language.extra import libdevice

@triton.jit
def copy(x, y, n, ahead, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(y + i + ahead, tl.load(x + i, mask=i < n + ahead), mask=i < n)

@triton.jit
def device(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(y + i, libdevice.exp2(tl.load(x + i)) + tl.extra.cuda.libdevice.tanh(tl.load(x + i)))

@triton.jit
def assembly(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    tl.store(y + i, tl.inline_asm_elementwise("mov.f32 $0, $1;", "=f,f", [a], dtype=tl.float32, is_pure=True, pack=1))

@triton.jit
def raising(x, y, N: tl.constexpr):
    tl.store(y + tl.arange(0, 12), tl.load(x + tl.arange(0, 12)))

@triton.jit
def square(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i[:, None] * N + i[None, :])
    tl.store(y + i[:, None] * N + i[None, :], tl.dot(a, a))

@triton.jit
def turn(x, y, N: tl.constexpr):
    source = tl.make_tensor_descriptor(x, shape=[N, N], strides=[N, 1], block_shape=[N, N])
    target = tl.make_tensor_descriptor(y, shape=[N, N], strides=[N, 1], block_shape=[N, N])
    target.store([0, 0], tl.trans(source.load([0, 0])))

def run_turn(x):
    y = torch.zeros_like(x)
    turn[(1,)](x, y, 16)
    return y

def run_square(x):
    y = torch.empty_like(x)
    square[(1,)](x, y, 16)
    return y + 1

def run_copy(x, ahead):
    y = torch.zeros(16, device=x.device)
    copy[(1,)](x, y, 16, ahead, 16)
    return y

def run(x, which):
    y = torch.empty(16, device="cuda", dtype=x.dtype)
    {"device": device, "assembly": assembly, "raising": raising}[which][(1,)](x, y, 16)
    return y

def where(x):
    assert x.is_cuda and x.device.type == "cuda" and x.device == torch.device("cuda:0") and x.get_device() == 0
    torch.cuda.set_device(x.device)
    with torch.cuda.device(x.device.index), torch.cuda.stream(torch.cuda.Stream()):
        start = torch.cuda.Event(enable_timing=True)
        start.record()
    properties = torch.cuda.get_device_properties(x.device)
    assert torch.cuda.get_device_capability() == (properties.major, properties.minor)
    assert triton.runtime.driver.active.utils.get_device_properties(0)["max_shared_mem"] > 0
    made = torch.arange(3, device=x.device) + torch.ones(3, device="cuda").to(x.device).cuda() + x.new_zeros(3)
    torch.set_default_device("cuda")
    return made + torch.zeros(3)
"""


def call(
    sandbox: Sandbox, function: str, *args: Any, numbers: int = 16, watch: frozenset[str] = frozenset()
) -> Outcome:
    x = np.linspace(0, 1, numbers, dtype=np.float32)
    with sandbox.open(Source(KERNELS, "kernels.py")) as guest:
        return guest.call(Call(function, (Tensor(x, "float32"), *args), watch=watch))


@needs_triton
def test_products_of_kernels_are_counted(sandbox: Sandbox) -> None:
    cost = call(sandbox, "run_square", numbers=256, watch=MEMORY).cost
    assert cost is not None and (cost.flops, cost.peak_bytes) == (2 * 16**3, 2 * 256 * 4)


@needs_triton
def test_tensor_descriptors_load_and_store_tiles(sandbox: Sandbox) -> None:
    outcome = call(sandbox, "run_turn", numbers=256)
    assert outcome.failure is None and outcome.kernels is not None and not outcome.kernels.strays
    given = np.linspace(0, 1, 256, dtype=np.float32).reshape(16, 16)
    np.testing.assert_array_equal(outcome.value.data.reshape(16, 16), given.T)
    outcome = call(sandbox, "run_turn", numbers=240)
    assert outcome.kernels is not None
    assert {(s.access, s.argument, s.count) for s in outcome.kernels.strays} == {("load", "x", 16), ("store", "y", 16)}


@needs_triton
def test_a_kernel_that_stays_inside_has_no_strays(sandbox: Sandbox) -> None:
    outcome = call(sandbox, "run_copy", 0)
    assert outcome.kernels is not None
    assert (outcome.kernels.launches, outcome.kernels.strays, outcome.kernels.programs) == (("copy",), (), 1)
    np.testing.assert_array_equal(outcome.value.data, np.linspace(0, 1, 16, dtype=np.float32))


@needs_triton
def test_stray_stores_are_left_out_and_stray_loads_give_nan(sandbox: Sandbox) -> None:
    outcome = call(sandbox, "run_copy", 4, numbers=12)
    assert outcome.kernels is not None
    strays = {(s.access, s.argument, s.count, s.line) for s in outcome.kernels.strays}
    assert strays == {("load", "x", 4, 9), ("store", "y", 4, 9)}
    assert outcome.value.data[:4].tolist() == [0, 0, 0, 0]
    np.testing.assert_array_equal(outcome.value.data[4:], np.linspace(0, 1, 12, dtype=np.float32))
    outcome = call(sandbox, "run_copy", 0, numbers=12)
    assert np.isnan(outcome.value.data[12:]).all() and np.isfinite(outcome.value.data[:12]).all()


@needs_triton
def test_device_functions_are_there(sandbox: Sandbox) -> None:
    x = np.linspace(0, 1, 16, dtype=np.float32)
    np.testing.assert_allclose(call(sandbox, "run", "device").value.data, np.exp2(x) + np.tanh(x), rtol=1e-6)


@needs_triton
def test_what_the_interpreter_lacks_is_said(sandbox: Sandbox) -> None:
    failure = call(sandbox, "run", "assembly").failure
    assert failure is not None and failure.kind == "contract"
    assert "inline_asm" in failure.message and "--device cuda" in failure.message
    failure = call(sandbox, "run", "raising").failure
    assert failure is not None
    assert (failure.exception, failure.line) == ("ValueError", 24)


@needs_triton
def test_cuda_is_the_cpu(sandbox: Sandbox) -> None:
    outcome = call(sandbox, "where", numbers=3)
    assert outcome.failure is None, outcome.failure
    assert outcome.value.device == "cpu"
    np.testing.assert_array_equal(outcome.value.data, [1, 2, 3])


def test_without_triton_the_message_is_the_command_that_installs_it(sandbox: Sandbox) -> None:
    text = "import torch\nimport triton_that_is_missing\n\ndef flash_attention(q, k, v): return v\n"
    report = grade("kernel.py", text=text, sandbox=sandbox)
    assert report.error is not None and report.error.kind == "import"
    assert "pip install triton_that_is_missing" in report.error.message


# Faults of addresses and tiles, simulated


def case(sq: int, sk: int, causal: bool = False) -> AttentionInputs:
    rng = np.random.default_rng([sq, sk])
    shapes = (3, 2, sq, 6), (3, 2, sk, 6), (3, 2, sk, 5)
    q, k, v = (np.asarray(rng.normal(size=s), np.float32).astype(float) for s in shapes)
    return AttentionInputs(heads=2, q=q, k=k, v=v, causal=causal)


@pytest.mark.parametrize("layout", ["BHSD", "BSHD"])
@pytest.mark.parametrize("causal", [False, True])
def test_a_kernel_without_faults_computes_attention(layout: str, causal: bool) -> None:
    for sq, sk in ((5, 7), (20, 35), (35, 20)):
        one = case(sq, sk, causal)
        memory = Memory(one, DIRECT[layout], DIRECT[layout])
        out = simulate(memory, Fault())
        assert out is not None
        expected = truth(one)
        seen = np.broadcast_to((np.arange(sq) + sk - sq >= 0)[:, None] | (not causal), expected.shape)
        assert relative_error(np.where(seen, out, 0), expected) < 1e-12


def test_every_fault_has_a_name_that_is_explained() -> None:
    assert {fault.code for fault in faults()} <= set(BUG_CLASSES)


@pytest.mark.parametrize("number", range(0, 700, 100))
def test_a_fault_is_named_from_its_outputs(number: int) -> None:
    fault = list(faults())[number]
    binding: Any = type("Binding", (), {"layout": DIRECT["BHSD"], "output": "BHSD"})
    seen = []
    for one in (case(5, 7), case(20, 35), case(20, 35, causal=True)):
        memory = Memory(one, DIRECT["BHSD"], DIRECT["BHSD"])
        out = simulate(memory, fault)
        if out is None:
            out = simulate(memory, Fault(empty=fault.empty))
        assert out is not None
        seen.append(Seen(one, np.where(out == -7e33, fault.empty, out)))
    if all(relative_error(s.output, truth(s.case)) <= 1e-4 for s in seen):
        pytest.skip("changes nothing at these sizes")
    found = explain_kernel(seen, binding)
    if found is not None:
        assert found[0] == fault.code or found[1] <= 1e-6


# Grades


def entries(kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.load((CORPUS / kind / "manifest.yaml").read_text("utf-8"), yaml.CSafeLoader)
    return found


def graded(kind: str, quick: bool) -> list[Any]:
    return [
        pytest.param(kind, e, id=e["file"], marks=() if quick else pytest.mark.slow)
        for e in entries(kind)
        if (e["file"] in QUICK) == quick
    ]


@needs_triton
@pytest.mark.parametrize(
    ("kind", "entry"), [p for quick in (True, False) for kind in ("right", "wrong") for p in graded(kind, quick)]
)
def test_a_kernel_is_judged(kind: str, entry: dict[str, Any], sandbox: Sandbox) -> None:
    report = grade(CORPUS / kind / entry["file"], entry["exercise"], sandbox=sandbox)
    failed = [(c.id, c.detail) for c in report.checks if c.status == "fail"]
    assert report.verdict == entry["verdict"], (report.error, failed)
    assert report.contract is not None
    assert any("interpreter" in note for note in report.contract.notes)
    if entry.get("codes"):
        assert report.diagnosis and report.diagnosis[0].code in entry["codes"], report.diagnosis


def test_the_corpora_are_whole() -> None:
    for kind, least in (("right", 8), ("wrong", 20)):
        files = {path.name for path in (CORPUS / kind).glob("*.py")}
        assert files == {entry["file"] for entry in entries(kind)}
        assert len(files) >= least
        assert all(set(entry.get("codes", ())) <= set(BUG_CLASSES) for entry in entries(kind))


@needs_triton
def test_kernels_of_a_file_without_an_exercise_are_recognised(sandbox: Sandbox) -> None:
    text = KERNELS + "\ndef attend(q, k, v):\n    raise ValueError('no')\n"
    report = grade("kernels.py", text=text, sandbox=sandbox)
    assert report.error is not None and "attend" in report.error.message
    asked = grade("kernels.py", text=KERNELS.replace("def where(x)", "def attend(q, k, v)"), sandbox=sandbox)
    assert asked.error is not None


# The kernel to learn from

CHECK = """
import importlib.util, sys
import numpy as np
import torch
from interview_coach.oracles.attention import attention, causal_mask, repeat_heads

torch.set_num_threads(1)
spec = importlib.util.spec_from_file_location("kernel", sys.argv[1])
kernel = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kernel)
device = sys.argv[2]
allowed = {torch.float32: (3e-6, 2e-5), torch.float16: (2e-3, 4e-3), torch.bfloat16: (2e-2, 3e-2)}


def draw(seed, *shape, dtype=torch.float32):
    x = torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float32)
    return x.to(device, dtype)


def wide(x):
    return x.detach().double().cpu().numpy()


def gradients(q, k, v, d_out, causal):
    heads, shape = q.shape[1], k.shape
    k, v = repeat_heads(k, heads), repeat_heads(v, heads)
    scale = q.shape[-1] ** -0.5
    s = q @ k.swapaxes(-1, -2) * scale
    visible = causal_mask(*s.shape[-2:]) | (not causal)
    p = np.where(visible, np.exp(s - s.max(-1, keepdims=True)), 0.0)
    total = p.sum(-1, keepdims=True)
    p = np.divide(p, total, out=np.zeros_like(p), where=total > 0)
    dp = d_out @ v.swapaxes(-1, -2)
    ds = p * (dp - (p * dp).sum(-1, keepdims=True)) * scale
    with np.errstate(divide="ignore"):
        lse = np.log(np.where(visible, np.exp(s), 0.0).sum(-1))
    grouped = (*shape[:2], -1, shape[2])
    dk = (ds.swapaxes(-1, -2) @ q).reshape(*grouped, q.shape[-1]).sum(2)
    dv = (p.swapaxes(-1, -2) @ d_out).reshape(*grouped, v.shape[-1]).sum(2)
    return lse, (ds @ k, dk, dv)


def error(got, expected):
    assert got.shape == expected.shape
    return np.abs(got - expected).max() / max(np.abs(expected).max(), 1.0)


def check(dtype, batch, heads, kv_heads, sq, sk, dim, value_dim, causal, split=False):
    what = (dtype, batch, heads, kv_heads, sq, sk, dim, value_dim, causal)
    q, k = draw(1, batch, heads, sq, dim, dtype=dtype), draw(2, batch, kv_heads, sk, dim, dtype=dtype)
    v, d_out = draw(3, batch, kv_heads, sk, value_dim, dtype=dtype), draw(4, batch, heads, sq, value_dim, dtype=dtype)
    if split:
        q, k, v = (x.transpose(1, 2).contiguous().transpose(1, 2) for x in (q, k, v))
    inputs = [x.requires_grad_() for x in (q, k, v)]
    out, lse = kernel.flash_attention(*inputs, causal)
    assert out.dtype == dtype and lse.dtype == torch.float32
    arrays = [wide(x) for x in (q, k, v, d_out)]
    forward, backward = allowed[dtype]
    assert error(wide(out), attention(*arrays[:3], causal=causal)) < forward, what
    expected_lse, expected = gradients(*arrays, causal)
    seen = np.isfinite(expected_lse)
    assert np.array_equal(np.isneginf(wide(lse)), ~seen) and not wide(out)[~seen].any(), what
    assert error(wide(lse)[seen], expected_lse[seen]) < 1e-5, what
    for name, x, gradient in zip("qkv", torch.autograd.grad(out, inputs, d_out), expected):
        assert x.dtype == dtype and error(wide(x), gradient) < backward, (name, what)
"""

SMALL = """
check(torch.float32, 1, 2, 1, 19, 35, 20, 12, True)
check(torch.float16, 2, 1, 1, 17, 16, 16, 24, False, split=True)
check(torch.float16, 1, 1, 1, 20, 4, 16, 16, True)

def refused(message, *arrays):
    try:
        kernel.flash_attention(*arrays)
    except ValueError as problem:
        assert message in str(problem), problem
    else:
        raise AssertionError(message)

import triton

tiles = ((64, 64, 4), (64, 64, 8), (64, 128, 8), (32, 32, 4))
configs = [triton.Config({"BLOCK_Q": q, "BLOCK_K": k}, num_warps=w) for q, k, w in tiles]
x = draw(5, 2, 4, 3, 16)
for dtype, results, width, fitting in (
    (torch.float16, ["DQ"], 128, [0, 1, 2, 3]),
    (torch.float16, ["DK", "DV"], 64, [0, 1, 2, 3]),
    (torch.float16, ["DK", "DV"], 128, [1, 3]),
    (torch.float32, ["DQ"], 64, [3]),
    (torch.float32, ["DK", "DV"], 256, [3]),
):
    named = dict.fromkeys(("Q", *results), x.to(dtype))
    assert kernel._fitting(configs, named, WIDTH=width, VALUE_WIDTH=width) == [configs[i] for i in fitting], width

refused("q: torch.float64 of shape (2, 4, 3, 16), expected float16, bfloat16 or float32", x.double(), x, x)
refused("k: torch.float16 of shape (2, 4, 3, 16), expected torch.float32", x, x.half(), x)
refused("k: torch.float32 of shape (2, 4, 0, 16)", x, x[:, :, :0], x[:, :, :0])
refused("k: shape (2, 3, 3, 16), expected (2, a divisor of 4, Sk, 16)", x, x[:, :3], x[:, :3])
refused("v: shape (2, 4, 2, 16), expected (2, 4, 3, Dv)", x, x, x[:, :, :2])
refused("q: torch.float32 of shape (2, 4, 3, 300)", draw(5, 2, 4, 3, 300), x, x)
refused("q: torch.float32 of shape (4, 3, 16), expected torch.float32 of shape (B, H, S, D)", x[0], x, x)
refused("q: torch.int64 of shape (2, 4, 3, 16), expected float16, bfloat16 or float32", x.long(), x, x)
print("right")
"""

LARGE = """
for dtype in (torch.float32, torch.float16, torch.bfloat16):
    for dim in (16, 40, 64, 80, 128):
        for sq, sk in ((1, 1), (1, 200), (128, 128), (200, 129), (129, 300)):
            for causal in (False, True):
                check(dtype, 2, 4, 2, sq, sk, dim, dim, causal, split=dim == 40)
print("right")
"""


def run_kernel(checks: str, device: str, **environment: str) -> str:
    command = [sys.executable, "-c", CHECK + checks, str(SOLUTION), device]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.strip()


@needs_triton
def test_the_kernel_is_right_in_the_interpreter() -> None:
    assert run_kernel(SMALL, "cpu", TRITON_INTERPRET="1") == "right"


@needs_triton
@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
def test_the_kernel_is_right_on_a_gpu() -> None:
    assert run_kernel(LARGE, "cuda") == "right"


@needs_triton
@pytest.mark.slow
@pytest.mark.parametrize("architecture", [80, 90])
@pytest.mark.parametrize("dim", [40, 64, 128])
def test_the_kernel_compiles_for_gpus_that_are_not_here(dim: int, architecture: int, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMPILE, str(SOLUTION), str(dim), str(architecture)],
        capture_output=True,
        text=True,
        env={**os.environ, "TRITON_CACHE_DIR": str(tmp_path), "TRITON_INTERPRET": "0"},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.split() == ["_forward", "_backward_keys", "_backward_queries"]


COMPILE = """
import importlib.util, sys
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

spec = importlib.util.spec_from_file_location("kernel", sys.argv[1])
kernel = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kernel)
dim, architecture = int(sys.argv[2]), int(sys.argv[3])
width = triton.next_power_of_2(dim)
for name in ("_forward", "_backward_keys", "_backward_queries"):
    tuned = getattr(kernel, name)
    config = tuned.configs[0]
    fixed = {
        "CAUSAL": True, "WIDTH": width, "VALUE_WIDTH": width, "CUT": width != dim, "CUT_VALUE": width != dim,
        "GROUP": 1, "q_d": 1, "k_d": 1, "v_d": 1, "o_d": 1, **config.kwargs,
    }
    types = {"Lse": "*fp32", "RowSum": "*fp32", "scale": "fp32"}
    types |= dict.fromkeys(("Q", "K", "V", "Out", "DOut", "DQ", "DK", "DV"), "*bf16")
    names = tuned.fn.arg_names
    signature = {a: "constexpr" if a in fixed else types.get(a, "i32") for a in names}
    constants = {(names.index(a),): value for a, value in fixed.items()}
    source = ASTSource(tuned.fn, signature, constants, {})
    options = {"num_warps": config.num_warps, "num_stages": config.num_stages}
    assert "cubin" in triton.compile(source, target=GPUTarget("cuda", architecture, 32), options=options).asm
    print(name)
"""


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_the_benchmark_says_that_there_is_no_gpu(capsys: pytest.CaptureFixture[str]) -> None:
    assert gpu.main() == 2
    told = capsys.readouterr()
    assert not told.out
    assert told.err.startswith("no GPU") and len(told.err.splitlines()) == 1


def test_the_benchmark_measures_and_prints_a_row_a_pass(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Event:
        """A clock of which each span takes three milliseconds for ten calls."""

        def __init__(self, enable_timing: bool) -> None:
            assert enable_timing

        def record(self) -> None:
            return

        def elapsed_time(self, _: Event) -> float:
            return 3.0

    answers = {"Event": Event, "synchronize": lambda: None, "reset_peak_memory_stats": lambda: None}
    answers |= {"get_device_name": lambda: "a GPU", "memory_allocated": lambda: 2**20}
    for name, answer in answers.items():
        monkeypatch.setattr(torch.cuda, name, answer)
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda: 5 * 2**20)
    small = {"BATCH": 1, "HEADS": 2, "LENGTH": 16, "DIMS": (16, 24), "DEVICE": "cpu", "DTYPE": "float32"}
    for name, value in (small | {"WARM_UPS": 1, "ROUNDS": 2}).items():
        monkeypatch.setattr(gpu, name, value)

    def attend(q: Any, k: Any, v: Any, causal: bool) -> tuple[Any, None]:
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal), None

    monkeypatch.setattr(gpu, "_ready", lambda: (torch, attend))
    assert gpu.main() == 0
    head, columns, *lines = capsys.readouterr().out.splitlines()
    assert head.startswith("a GPU · B 1, H 2, S 16, float32")
    assert [line.split()[:3] for line in lines] == [
        [what, dim, mask] for dim in ("16", "24") for mask in ("full", "causal") for what in ("forward", "backward")
    ]
    assert all("0.30 ms" in line and "1.00×" in line and line.endswith("4 MiB") for line in lines)
    assert {len(line) for line in (columns, *lines)} == {len(columns)}


def test_the_table_of_the_benchmark() -> None:
    measured = gpu.Measured("backward", 64, causal=True, ms=10.0, torch_ms=7.0, peak_bytes=3 * 2**20)
    assert measured.ratio == pytest.approx(0.7)
    assert measured.tflops == pytest.approx(2.5 * 2 * 4 * 32 * 4096**2 * 64 / 0.01 / 1e12)
    assert "≥ 0.6×  ok" in measured.line() and measured.line().endswith("3 MiB")
