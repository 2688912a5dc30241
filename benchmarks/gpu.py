"""The Triton kernel on a GPU: TFLOP/s forward and backward, next to torch's flash backend, and peak memory.

``python -m benchmarks.gpu``. Batch 4, 32 heads, 4096 tokens, head dims 64 and 128, bf16, causal and not. FLOPs are
counted as usual: 4·B·H·S²·D forward, half of it if causal, 2.5 times as much backward. The first run compiles and tunes
the kernels, which is most of its few minutes.
"""

from __future__ import annotations

import importlib.util
import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from interview_coach.resources import resource_dir

BATCH, HEADS, LENGTH, DIMS = 4, 32, 4096, (64, 128)
DEVICE, DTYPE = "cuda", "bfloat16"
BUDGET = {"forward": 0.7, "backward": 0.6}
"""Least speed, as a share of that of torch's flash backend."""
WARM_UPS, ROUNDS, CALLS = 3, 10, 10
"""In each round so many calls follow one another: one is launched while the one before it still runs."""


class NoGpu(Exception):
    """Nothing can be measured here; the message says why."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One pass at one size: milliseconds of the kernel and of torch, and the kernel's peak memory beyond its inputs."""

    what: str
    dim: int
    causal: bool
    ms: float
    torch_ms: float
    peak_bytes: int

    @property
    def tflops(self) -> float:
        """Speed of the kernel."""
        return self._flops / self.ms / 1e9

    @property
    def torch_tflops(self) -> float:
        """Speed of torch's flash backend."""
        return self._flops / self.torch_ms / 1e9

    @property
    def ratio(self) -> float:
        """Speed of the kernel as a share of torch's."""
        return self.torch_ms / self.ms

    @property
    def _flops(self) -> float:
        forward = 4 * BATCH * HEADS * LENGTH**2 * self.dim * (0.5 if self.causal else 1.0)
        return forward * (2.5 if self.what == "backward" else 1.0)

    def line(self) -> str:
        """A line of the table."""
        least = BUDGET[self.what]
        mask, verdict = "causal" if self.causal else "full", "ok" if self.ratio >= least else "UNDER"
        speeds = f"{self.ms:>9.2f} ms{self.tflops:>9.1f}{self.torch_tflops:>9.1f}{self.ratio:>8.2f}×"
        memory = f"{self.peak_bytes / 2**20:>8.0f} MiB"
        return f"{self.what:<9}{self.dim:>5}  {mask:<7}{speeds}  ≥ {least:.1f}×  {verdict:<6}{memory}"


HEADER = (
    f"{'pass':<9}{'D':>5}  {'mask':<7}{'time':>12}{'TFLOP/s':>9}{'torch':>9}{'ratio':>9}  {'budget':<14}{'memory':>12}"
)


def measure(torch: Any, flash_attention: Callable[..., Any]) -> Iterator[Measured]:
    """Both passes at each size, the kernel and torch in turn."""
    from torch.nn.attention import SDPBackend, sdpa_kernel

    attend = torch.nn.functional.scaled_dot_product_attention
    dtype = getattr(torch, DTYPE)
    for dim in DIMS:
        for causal in (False, True):
            q, k, v, d_out = (
                torch.randn(BATCH, HEADS, LENGTH, dim, device=DEVICE, dtype=dtype, requires_grad=i < 3)
                for i in range(4)
            )
            with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
                ours, torchs = flash_attention(q, k, v, causal)[0], attend(q, k, v, is_causal=causal)
                assert torch.allclose(ours, torchs, atol=2e-2, rtol=2e-2), "the kernel is wrong"
                backward = partial(torch.autograd.grad, retain_graph=True)
                calls: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
                    "forward": (partial(flash_attention, q, k, v, causal), partial(attend, q, k, v, is_causal=causal)),
                    "backward": (
                        partial(backward, ours, (q, k, v), d_out),
                        partial(backward, torchs, (q, k, v), d_out),
                    ),
                }
                for what, (kernel, library) in calls.items():
                    peak = _peak(torch, kernel)
                    yield Measured(what, dim, causal, *_alternate(torch, kernel, library), peak)


def _alternate(torch: Any, one: Callable[[], Any], other: Callable[[], Any]) -> tuple[float, float]:
    """Medians in milliseconds of two calls, made in turn."""
    for _ in range(WARM_UPS):
        one(), other()
    times = [(_milliseconds(torch, one), _milliseconds(torch, other)) for _ in range(ROUNDS)]
    first, second = zip(*times, strict=True)
    return statistics.median(first), statistics.median(second)


def _milliseconds(torch: Any, call: Callable[[], Any]) -> float:
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    start.record()
    for _ in range(CALLS):
        call()
    end.record()
    torch.cuda.synchronize()
    elapsed: float = start.elapsed_time(end)
    return elapsed / CALLS


def _peak(torch: Any, call: Callable[[], Any]) -> int:
    """Bytes at once beyond what was there before, after a call that tunes."""
    call()
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before: int = torch.cuda.memory_allocated()
    call()
    torch.cuda.synchronize()
    found: int = torch.cuda.max_memory_allocated() - before
    return found


def _ready() -> tuple[Any, Callable[..., Any]]:
    """Torch and the kernel.

    Raises:
        NoGpu: there is no GPU that torch can use, or no triton.
    """
    import torch

    if not torch.cuda.is_available():
        raise NoGpu(
            "no GPU that torch can use: nothing is measured. The kernel's values are tested on the CPU: make test"
        )
    if importlib.util.find_spec("triton") is None:
        raise NoGpu("triton is not installed; install it with: pip install triton")
    spec = importlib.util.spec_from_file_location("tiled", resource_dir("solutions") / "triton-flash" / "tiled.py")
    assert spec is not None and spec.loader is not None
    kernel = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kernel)
    return torch, kernel.flash_attention


def main() -> int:
    """Prints the table. Returns 2 where there is nothing to measure on, 1 where a measurement failed."""
    try:
        torch, flash_attention = _ready()
    except NoGpu as problem:
        print(problem, file=sys.stderr)
        return 2
    print(f"{torch.cuda.get_device_name()} · B {BATCH}, H {HEADS}, S {LENGTH}, {DTYPE} · torch {torch.__version__}")
    print(HEADER)
    try:
        for measured in measure(torch, flash_attention):
            print(measured.line(), flush=True)
    except RuntimeError as problem:  # too little memory, or a GPU for which torch has no flash backend
        reason = str(problem).partition("\n")[0]
        print(f"stopped: {reason} (it takes 2 GiB, and compute capability 8.0 or higher)", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
