"""What a call costs: exponents, counted operations, the claim of linear memory, the drawing, the time ratio."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from interview_coach.exercises import exercises
from interview_coach.grading.answers import Step
from interview_coach.grading.drawing import drawn, power_of
from interview_coach.grading.engine import grade
from interview_coach.grading.family import AttentionInputs
from interview_coach.grading.formats import to_junit, to_markdown
from interview_coach.grading.growth import Growth, exponent
from interview_coach.grading.lanes.half import judge
from interview_coach.grading.numbers import EPSILON, relative_error, round_to
from interview_coach.grading.protocol import Call, Limits, Outcome
from interview_coach.grading.reference import careful, truth
from interview_coach.grading.render import Style, to_text
from interview_coach.grading.report import CostSummary
from interview_coach.grading.sandbox import Sandbox, _limits_for
from interview_coach.grading.second_opinion import Timed, solution_of, time_ratio
from interview_coach.grading.worker.meter import TorchMeter
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


def test_where_there_are_no_products_each_element_counts_and_torch_counts_as_numpy_does() -> None:
    meter, x = WorkMeter(), np.ones((2, 3), np.float32)
    counted = np.exp(meter.handed_over(x) * 2)
    _ = counted / counted.sum(-1, keepdims=True) - np.max(counted)
    with TorchMeter() as torch_meter:
        exponentials = torch.exp(torch.from_numpy(x) * 2)
        _ = exponentials / exponentials.sum(-1, keepdim=True) - exponentials.max()
        assert torch_meter.cost()["flops"] == meter.cost()["flops"] == 6 * 6
        _ = exponentials @ exponentials.mT
    assert torch_meter.cost()["flops"] == 2 * 2 * 3 * 2


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


@pytest.mark.parametrize("technique", [pytest.param("tiled", marks=pytest.mark.slow), "tiled_numpy"])
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


@pytest.mark.parametrize("technique", ["tiled", "tiled_numpy"])
def test_a_tile_that_is_longer_than_the_first_lengths_is_seen_beyond_them(technique: str, sandbox: Sandbox) -> None:
    cost = grade(SOLUTIONS / "causal" / f"{technique}.py", sandbox=sandbox, seed=1).cost
    assert cost is not None and cost.lengths[-1] > 256
    assert cost.memory_exponent == pytest.approx(1.0, abs=0.05)
    assert cost.flops_exponent == pytest.approx(2.0, abs=0.2)


@pytest.mark.usefixtures("second_opinions")
def test_each_report_times_it_and_tells_what_it_was_compared_with(sandbox: Sandbox) -> None:
    report = grade("dense.py", "sdpa", text=DENSE, sandbox=sandbox, seed=1)
    written = report.to_dict()
    assert 0.02 < written["cost"]["time_ratio"] < 50
    assert written["cost"]["flops_exponent"] == 2.0
    rounded, solution = written["references"]
    assert (rounded["name"], rounded["device"], rounded["dtype"]) == ("rounded", "cpu", "fp32")
    assert (solution["name"], solution["device"], solution["dtype"]) == ("sdpa/stable_numpy.py", "cpu", "fp32")
    assert 0 < solution["error"] < 1e-6
    text = to_text(report, Style(width=200))
    assert re.search(r"memory grows with S² \(.+ [kM]B at S = 256\)    FLOPs with S² \(4\.2 M\)    ", text)
    assert re.search(r"    \d+(\.\d+)? × the reference's time    score", text)
    assert "时 " in to_text(report, Style("zh")) and "用时是参考实现的 " in to_text(report, Style("zh"))
    assert "sdpa/stable_numpy.py: fp32" in to_text(report, Style(detail="verbose", width=200))
    assert "sdpa/stable_numpy.py: fp32" in to_markdown(report) and "sdpa/stable_numpy.py: fp32" in to_junit([report])


def test_what_its_constructor_was_told_of_blocks_does_not_hide_how_memory_grows(sandbox: Sandbox) -> None:
    cost = grade(SOLUTIONS / "multi-head" / "tiled.py", sandbox=sandbox, seed=1).cost
    assert cost is not None and cost.lengths[-1] > 256
    assert cost.memory_exponent is not None and cost.memory_exponent < 1.2


@pytest.mark.usefixtures("second_opinions")
def test_the_solution_runs_beside_the_submission_and_is_not_the_submission(sandbox: Sandbox) -> None:
    slow = DENSE.replace("    return p /", "    for _ in range(1000):\n        p = p * 1.0\n    return p /")
    reports = [grade("dense.py", "sdpa", text=text, sandbox=sandbox, seed=1) for text in (DENSE, slow)]
    quick, slowed = (report.to_dict()["cost"]["time_ratio"] for report in reports)
    assert slowed > 2 * quick


@pytest.mark.usefixtures("second_opinions")
def test_what_is_wrong_is_not_timed_and_who_waits_need_not_be(sandbox: Sandbox) -> None:
    wrong = grade("dense.py", "sdpa", text=DENSE.replace(" / np.sqrt(q.shape[-1])", ""), sandbox=sandbox, seed=1)
    assert wrong.verdict == "fail" and wrong.to_dict()["cost"]["time_ratio"] is None
    assert [one.name for one in wrong.references] == ["rounded"]
    watched = grade("dense.py", "sdpa", text=DENSE, sandbox=sandbox, seed=1, timed=False)
    assert watched.cost is not None and watched.cost.time_ratio is None


@pytest.mark.usefixtures("second_opinions")
def test_the_growth_and_what_it_was_compared_with_are_shown_where_asked_for(sandbox: Sandbox) -> None:
    report = grade(SOLUTIONS / "sdpa" / "stable.py", sandbox=sandbox, seed=1, cost=True)
    assert report.cost is not None and report.cost.lengths == (64, 128, 256, 512, 1024)
    errors = {one.dtype: one.error for one in report.references if one.name == "sdpa/stable.py"}
    assert 0 < errors["fp32"] < 1e-6 < errors["fp16"] < errors["bf16"] < 0.05
    text = to_text(report, Style(cost=True))
    assert "extra memory (peak) ∝ S²" in text and "S =  1024" in text and "the reference's time" in text
    assert max(len(line) for line in to_text(report, Style("zh", width=60, cost=True)).splitlines()) <= 60
    assert "compared with the float64 oracle" in to_text(report, Style(detail="verbose", width=120))
    assert "与 float64 标准实现比较" in to_text(report, Style("zh", detail="verbose", width=120))


def test_on_a_gpu_the_second_opinion_is_that_of_its_kernel() -> None:
    known = exercises()
    on_gpu = {name for name, e in known.items() if solution_of(e, "torch", "cuda") != solution_of(e, "torch")}
    assert on_gpu == {"sdpa", "causal", "gqa", "flash-forward"}
    assert solution_of(known["gqa"], "torch", "cuda") == SOLUTIONS / "triton-flash" / "tiled.py"
    assert solution_of(known["sdpa"], "numpy", "cuda") == SOLUTIONS / "sdpa" / "stable_numpy.py"
    assert _limits_for(["torch"], Limits(), "cuda").memory_bytes > 2**40 > _limits_for([], Limits(), "cpu").memory_bytes


@pytest.mark.parametrize(("times", "status"), [(0.5, "fail"), (1.5, "warn"), (50.0, "warn")])
def test_the_kernel_of_a_gpu_allows_as_much_as_it_errs_itself(times: float, status: str) -> None:
    exam: Any = SimpleNamespace(checks=[], failed=lambda *_: False)
    exam.add = lambda id, status, *_, **__: exam.checks.append((id, status))
    rng = np.random.default_rng(1)
    q, k, v = (round_to(rng.normal(size=(1, 2, 5, 8)), "float16") for _ in "qkv")
    case = AttentionInputs(heads=2, q=q, k=k, v=v)
    step = max(relative_error(careful(case, "float16"), truth(case)), EPSILON["float16"] / 2)
    exam.kernel_error = lambda case, dtype: times * step
    exam.subject = SimpleNamespace(binding=SimpleNamespace(mask=None))
    off = truth(case) + 7 * step * np.abs(truth(case)).max()
    observed: Any = SimpleNamespace(output=off, raw=None)
    judge(exam, "float16", "dtype.fp16", False, case, observed)
    assert exam.checks == [("dtype.fp16", status)]


def test_times_are_the_least_of_each_side() -> None:
    class Clock:
        """A guest whose calls take what they are told to."""

        def __init__(self, seconds: list[float]) -> None:
            self.steps, self.left = [Step(1, Call("f"))], iter(seconds)

        def call(self, call: Call) -> Outcome:
            return Outcome(seconds=next(self.left))

    def side(*seconds: float) -> Timed:
        clock: Any = Clock(list(seconds))
        return Timed(clock, lambda: Outcome(seconds=0.1))

    assert time_ratio(side(0.9, 0.3, 0.6), side(0.2, 0.4, 0.8)) == 1.5


def test_bars_are_as_long_as_what_they_stand_for() -> None:
    lines = list(drawn(CostSummary(4, 40, 1.0, None, None, (64, 128), (20, 40), (0, 0)), "en", 80))
    bars = [line.count("█") for line in lines if "S =" in line]
    assert bars[1] == 2 * bars[0] > 0
    assert "× 2.0" in lines[-1]
    assert "FLOPs" not in "".join(lines)
    assert [power_of(x) for x in (0.0, 0.97, 1.5, 2.04)] == ["S⁰", "S", "S^1.5", "S²"]
