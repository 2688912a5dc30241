"""Prints the table of budgets: each row two things timed in turn, the budget beside them, ok or over."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.saves import save_to_verdict
from benchmarks.timing import Failed, Pair, alternate, coach, output, python, seconds
from interview_coach.resources import resource_dir

TORCH_SUBMISSION = """import math
import torch

def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, dim=-1)) @ v
"""

NUMPY_SUBMISSION = """import numpy as np

def attention(q, k, v, mask=None):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    peak = scores.max(-1, keepdims=True)
    weights = np.exp(scores - np.where(np.isfinite(peak), peak, 0))
    total = weights.sum(-1, keepdims=True)
    return (weights / np.where(total == 0, 1, total)) @ v
"""

# As the app does it: numpy on one thread, and guests that end while the report is read.
WARM = """
import os, statistics, sys, time
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
from interview_coach.grading import grade
from interview_coach.grading.sandbox import Sandbox

with Sandbox(lingering=True) as sandbox:
    grade(sys.argv[1], sandbox=sandbox)
    times = []
    for _ in range(15):
        start = time.perf_counter()
        grade(sys.argv[1], sandbox=sandbox)
        times.append(time.perf_counter() - start)
print(statistics.median(times))
"""

# The search for an output that nothing explains goes all the way; beside it, a grade in the same process.
DIAGNOSIS = """
import statistics, sys, time
import numpy as np
from interview_coach.grading import grade
from interview_coach.grading.diagnosis import Seen, explain
from interview_coach.grading.family import ATTENTION, AttentionInputs
from interview_coach.grading.sandbox import Sandbox

rng = np.random.default_rng(0)
case = AttentionInputs(
    q=rng.normal(size=(3, 6, 5, 11)), k=rng.normal(size=(3, 2, 7, 11)), v=rng.normal(size=(3, 2, 7, 13)), heads=6
)
seen = [Seen(case, rng.normal(size=(3, 6, 5, 13)))]

def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start

with Sandbox() as sandbox:
    one = lambda: grade(sys.argv[1], sandbox=sandbox, timed=False)
    one()
    times = [(seconds(lambda: explain(ATTENTION, seen)), seconds(one)) for _ in range(5)]
assert explain(ATTENTION, seen) == []
print(*(statistics.median(column) for column in (*zip(*times), [a / b for a, b in times])))
"""

# One head of 8192 tokens: the seconds of both, timed in turn, and the ratio. On one thread, so that it does not depend
# on how many cores there are, or how busy the others are.
TILED = """
import importlib.util, statistics, sys, time
import torch

spec = importlib.util.spec_from_file_location("tiled", sys.argv[1])
tiled = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tiled)
causal = sys.argv[2] == "causal"
torch.set_num_threads(1)
q, k, v = (torch.randn(1, 1, 8192, 64) for _ in range(3))

def seconds(attend):
    start = time.perf_counter()
    attend()
    return time.perf_counter() - start

ours = lambda: tiled.flash_attention(q, k, v, causal)
torchs = lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
ours(), torchs()
times = [(seconds(ours), seconds(torchs)) for _ in range(5)]
print(*(statistics.median(column) for column in (*zip(*times), [a / b for a, b in times])))
"""


BATCH = 200
"""Files of a batch: enough that its start is nothing to each."""


@dataclass(frozen=True, slots=True)
class Row:
    """One budget. ``limit`` bounds the ratio, or the measured time where ``limit_is_time``."""

    what: str
    against: str
    limit: float
    limit_is_time: bool
    measure: Callable[[Path], Pair]

    def judge(self, pair: Pair) -> str:
        """Ok or over, with the budget."""
        value = pair.measured if self.limit_is_time else pair.ratio
        budget = f"{self.limit * 1000:.0f} ms" if self.limit_is_time else f"{self.limit:.2f}×"
        return f"≤ {budget:<8} {'ok' if value <= self.limit else 'OVER'}"


def _first_frame(home: Path) -> Pair:
    frames = [sys.executable, "-m", "benchmarks.frames"]
    shape = output([*frames, "tree"], home)
    return alternate([*frames, "coach"], [*frames, "bare", shape], home, 7)


def _warm(path: Path, home: Path) -> Pair:
    """A grade in a process that has graded before, against a cold one of the same file."""
    cold = seconds(coach("grade", str(path), "--quiet"), home)
    warm = float(output(python(WARM, str(path)), home))
    return Pair(warm, cold, warm / cold)


def _batch(path: Path, home: Path) -> Pair:
    """A file of a folder that is graded as a whole, against a process for it alone."""
    folder = path.parent / "batch"
    folder.mkdir(exist_ok=True)
    text = path.read_text(encoding="utf-8")
    for number in range(BATCH):
        (folder / f"{number:03}.py").write_text(text, encoding="utf-8")
    cold = seconds(coach("grade", str(path), "--quiet"), home)
    each = seconds(coach("grade", str(folder), "--quiet"), home) / BATCH
    return Pair(each, cold, each / cold)


def _diagnosis(path: Path, home: Path) -> Pair:
    return Pair(*map(float, output(python(DIAGNOSIS, str(path)), home).split()))


def _tiled(kind: str, home: Path) -> Pair:
    path = resource_dir("solutions") / "flash-forward" / "tiled.py"
    return Pair(*map(float, output(python(TILED, str(path), kind), home).split()))


def _saved(path: Path, home: Path) -> Pair:
    """From a save to the verdict in watch mode, against a cold grade of the same file."""
    cold = seconds(coach("grade", str(path), "--quiet"), home)
    saved = save_to_verdict(path, home)
    return Pair(saved, cold, saved / cold)


def rows(folder: Path) -> Iterator[Row]:
    """The budgets, cheapest first."""
    torch_file, numpy_file = folder / "torch_attention.py", folder / "numpy_attention.py"
    torch_file.write_text(TORCH_SUBMISSION, encoding="utf-8")
    numpy_file.write_text(NUMPY_SUBMISSION, encoding="utf-8")

    def cold(path: Path, against: str, rounds: int) -> Callable[[Path], Pair]:
        return lambda home: alternate(coach("grade", str(path), "--quiet"), python(against), home, rounds)

    yield Row("coach --help", "python", 0.120, True, lambda home: alternate(coach("--help"), python(""), home, 15))
    yield Row("app: first frame", "bare Textual app", 1.3, False, _first_frame)
    yield Row("grade numpy, cold", "import numpy", 0.5, True, cold(numpy_file, "import numpy", 9))
    yield Row("grade torch, cold", "import torch", 1.35, False, cold(torch_file, "import torch", 7))
    yield Row("grade torch, warm", "the same, cold", 0.1, True, lambda home: _warm(torch_file, home))
    yield Row("grade numpy, warm", "the same, cold", 0.1, True, lambda home: _warm(numpy_file, home))
    yield Row("watch torch, save", "a cold grade", 0.1, True, lambda home: _saved(torch_file, home))
    yield Row("watch numpy, save", "a cold grade", 0.1, True, lambda home: _saved(numpy_file, home))
    yield Row("singles and pairs", "a warm grade", 0.5, True, lambda home: _diagnosis(numpy_file, home))
    yield Row(f"batch of {BATCH}, a file", "a cold grade", 1 / 40, False, lambda home: _batch(torch_file, home))
    for kind in ("full", "causal"):
        yield Row(f"tiled, 8192, {kind}", "torch's own", 3.0, False, partial(_tiled, kind))


def main() -> int:
    """Prints the table. Returns 1 if a row failed to run, else 0: being over is told, not punished."""
    broken = 0
    print(f"{'what':<20}{'measured':>10}   {'against':<18}{'':>9}{'ratio':>8}   budget")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for row in rows(folder):
            try:
                pair = row.measure(folder / "home")
            except Failed as error:
                broken += 1
                print(f"{row.what:<20}{'failed':>10}   {error}", flush=True)
                continue
            print(
                f"{row.what:<20}{pair.measured * 1000:>7.0f} ms   {row.against:<18}{pair.against * 1000:>6.0f} ms"
                f"{pair.ratio:>7.2f}×   {row.judge(pair)}",
                flush=True,
            )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
