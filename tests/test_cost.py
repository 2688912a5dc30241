"""What a call costs: exponents, counted operations, the claim of linear memory, the drawing, the time ratio."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from interview_coach.grading.drawing import drawn, power_of
from interview_coach.grading.engine import grade
from interview_coach.grading.growth import Growth, exponent
from interview_coach.grading.render import Style, to_text
from interview_coach.grading.report import CostSummary
from interview_coach.grading.sandbox import Sandbox
from interview_coach.grading.worker.work import WorkMeter
from interview_coach.resources import resource_dir

SOLUTIONS = Path(resource_dir("solutions"))
DENSE = """
import numpy as np


def attention(q, k, v):
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    p = np.exp(s - s.max(-1, keepdims=True))
    return p / p.sum(-1, keepdims=True) @ v
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(preload_torch=True) as shared:
        yield shared


def test_what_is_constant_does_not_count_in_an_exponent() -> None:
    assert exponent([1000 + 3 * n for n in (64, 128, 256)]) == pytest.approx(1.0)
    assert exponent([1000 + 3 * n * n for n in (64, 128, 256)]) == pytest.approx(2.0)
    assert exponent([700, 700, 700]) == 0.0
    assert exponent([0, 0, 0]) is None
    assert exponent([5]) is None


def test_a_mask_of_all_pairs_is_seen_beside_larger_linear_arrays() -> None:
    lengths = (512, 1024, 2048)
    peaks = tuple(400 * n + n * n for n in lengths)
    tiled = Growth(lengths, tuple(400 * n for n in lengths), tuple(256 * n for n in lengths), (0, 0, 0))
    masked = Growth(lengths, peaks, tuple(max(256 * n, n * n) for n in lengths), (0, 0, 0))
    assert tiled.linear and not tiled.square
    assert masked.square and not masked.linear


def test_products_of_numpy_are_counted() -> None:
    meter = WorkMeter()
    a, b = (meter.handed_over(np.ones(shape, np.float32)) for shape in ((2, 3, 5), (2, 5, 7)))
    product = a @ b
    assert meter.cost()["flops"] == 2 * 2 * 3 * 7 * 5
    _ = np.einsum("bij,bjk->bik", a, b)
    _ = np.einsum("...ij,...jk->...ik", a, b)
    assert meter.cost()["flops"] == 3 * 2 * 2 * 3 * 7 * 5
    _ = np.dot(a[0], b[0])
    _ = np.tensordot(a[0], b[0], 1)
    assert meter.cost()["flops"] == 3 * 420 + 2 * 210
    assert np.array_equal(np.asarray(np.exp(product) / product.sum(-1, keepdims=True)).shape, (2, 3, 7))


def test_the_same_counts_on_each_run_and_none_that_was_timed(sandbox: Sandbox) -> None:
    path = SOLUTIONS / "sdpa" / "stable.py"
    costs = [grade(path, sandbox=sandbox, seed=seed).cost for seed in (1, 2)]
    assert costs[0] == costs[1]
    assert costs[0] is not None and costs[0].time_ratio is None
    assert (costs[0].memory_exponent, costs[0].flops_exponent) == (2.0, 2.0)
    assert costs[0].flops == 2 * 256 * 256 * (16 + 16)


def test_numpy_has_the_same_operations_as_torch(sandbox: Sandbox) -> None:
    cost = grade("dense.py", "sdpa", text=DENSE, sandbox=sandbox, seed=1).cost
    assert cost is not None
    assert cost.flops == 2 * 256 * 256 * (16 + 16)
    assert cost.memory_exponent == pytest.approx(2.0, abs=0.2)  # numpy reuses large temporaries


@pytest.mark.parametrize("technique", ["tiled", "tiled_numpy"])
def test_tiles_take_linear_memory_and_square_work(technique: str, sandbox: Sandbox) -> None:
    report = grade(SOLUTIONS / "flash-forward" / f"{technique}.py", sandbox=sandbox, seed=4)
    assert (report.verdict, report.efficient) == ("pass", True)
    assert report.cost is not None and report.cost.memory_exponent is not None
    assert report.cost.memory_exponent < 1.2
    assert report.cost.flops_exponent == pytest.approx(2.0, abs=0.05)


def test_the_dense_matrix_is_right_and_stable_and_not_accepted(sandbox: Sandbox) -> None:
    text = DENSE.replace("def attention(q, k, v):", "def flash_attention(q, k, v, block_size=64):")
    report = grade("dense.py", "flash-forward", text=text, sandbox=sandbox, seed=4)
    assert (report.verdict, report.correct, report.stable, report.efficient) == ("fail", True, True, False)
    assert [d.code for d in report.diagnosis] == ["not-tiled"]
    assert report.headline().startswith("correct and stable, not efficient")


def test_the_time_is_taken_next_to_the_reference_where_it_is_asked_for(sandbox: Sandbox) -> None:
    report = grade("dense.py", "sdpa", text=DENSE, sandbox=sandbox, seed=1, cost=True)
    assert report.cost is not None and report.cost.time_ratio is not None
    assert 0.02 < report.cost.time_ratio < 50
    assert report.cost.lengths == (64, 128, 256, 512, 1024)
    text = to_text(report, Style(cost=True))
    assert "extra memory (peak) ∝ S²" in text and "S =  1024" in text and "the reference's time" in text
    assert max(len(line) for line in to_text(report, Style("zh", width=60, cost=True)).splitlines()) <= 60


def test_bars_are_as_long_as_what_they_stand_for() -> None:
    lines = list(drawn(CostSummary(4, 40, 1.0, None, None, (64, 128), (20, 40), (0, 0)), "en", 80))
    bars = [line.count("█") for line in lines if "S =" in line]
    assert bars[1] == 2 * bars[0] > 0
    assert "× 2.0" in lines[-1]
    assert "FLOPs" not in "".join(lines)
    assert [power_of(x) for x in (0.0, 0.97, 1.5, 2.04)] == ["S⁰", "S", "S^1.5", "S²"]


def test_a_verbose_report_says_what_it_was_compared_with(sandbox: Sandbox) -> None:
    report = grade(SOLUTIONS / "sdpa" / "stable.py", sandbox=sandbox, seed=1)
    errors = {one.dtype: one.error for one in report.references}
    assert 0 < errors["fp32"] < 1e-6 < errors["fp16"] < errors["bf16"] < 0.05
    assert "compared with the float64 oracle" in to_text(report, Style(detail="verbose", width=120))
    assert "与 float64 标准实现比较" in to_text(report, Style("zh", detail="verbose", width=120))
