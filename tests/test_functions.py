"""The exercises on plain functions: their truths, the tables of wrong variants, the corpus, the solutions."""

from __future__ import annotations

import ast
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml

from interview_coach.exercises import exercises
from interview_coach.grading.codes import BUG_CLASSES
from interview_coach.grading.engine import grade
from interview_coach.grading.functions import task
from interview_coach.grading.functions.direct import family_wrong
from interview_coach.grading.functions.distance import distance, worst
from interview_coach.grading.functions.sending import LAYOUTS
from interview_coach.grading.functions.task import Case, Task
from interview_coach.grading.sandbox import Sandbox
from interview_coach.oracles.attention import softmax
from interview_coach.resources import resource_dir

CORPUS = Path(__file__).parent / "corpus" / "functions"
IDS = [e.id for e in exercises().values() if e.family == "function"]
ENTRIES = [
    (side, entry)
    for side in ("right", "wrong")
    for entry in yaml.load((CORPUS / side / "manifest.yaml").read_text("utf-8"), yaml.CSafeLoader)
]


GROWS = {"attention-backward": 2, "fp16-attention": 2}
"""The power of S that the memory of the solutions grows with, where it is not the first."""


def draw(exercise: Task, seed: int = 3, **values: Any) -> Case:
    case = exercise.case(
        np.random.default_rng(seed), taken=frozenset(r.name for r in exercise.roles if r.required), **values
    )
    return {**{a.key: a.values[0] for a in exercise.alternatives}, **case}


def wide(x: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(np.array(x)).double()


# The normal suite takes one in nine, and fewer of the exercises with many; the others are marked slow.
EVERY = {"flash-forward": 24, "flash-backward": 24, "fp16-attention": 18}
SAMPLED = [
    pytest.param(e, marks=[pytest.mark.slow] if i % EVERY.get(e[1]["exercise"], 9) else [], id=f"{e[0]}-{e[1]['file']}")
    for i, e in enumerate(ENTRIES)
]


@pytest.mark.parametrize("entry", SAMPLED)
def test_the_corpus_is_graded_as_its_manifest_says(entry: tuple[str, dict[str, Any]], sandbox: Sandbox) -> None:
    side, expected = entry
    report = grade(CORPUS / side / expected["file"], expected["exercise"], sandbox=sandbox, seed=11)
    failed = [(c.id, c.detail) for c in report.checks if c.status == "fail"]
    assert report.verdict == expected["verdict"], (report.error, failed)
    codes = {d.code for d in report.diagnosis}
    assert not expected["codes"] or codes & set(expected["codes"]), (codes, failed)


def test_the_corpus_has_enough_of_each() -> None:
    for exercise in IDS:
        sides = [side for side, entry in ENTRIES if entry["exercise"] == exercise]
        assert sides.count("right") >= 6 and sides.count("wrong") >= 8, exercise


@pytest.mark.parametrize("exercise", IDS)
@pytest.mark.usefixtures("second_opinions")
def test_solutions_pass_without_a_remark_and_are_recognised(exercise: str, sandbox: Sandbox) -> None:
    for path in sorted((Path(resource_dir("solutions")) / exercise).glob("*.py")):
        report = grade(path, sandbox=sandbox, seed=5)
        assert (report.exercise, report.verdict) == (exercise, "pass"), report.error
        assert not [c for c in report.checks if c.status == "fail"]
        assert report.cost is not None and report.cost.memory_exponent == pytest.approx(GROWS.get(exercise, 1), abs=0.2)
        assert report.cost.time_ratio is not None and 0.05 < report.cost.time_ratio < 20
        asked = report.references[-1]
        assert asked.name.startswith(f"{exercise}/") and asked.error < (1e-6 if asked.dtype == "fp32" else 1e-3)


@pytest.mark.parametrize("exercise", IDS)
def test_the_family_without_a_choice_is_the_oracle(exercise: str) -> None:
    one = task(exercise)
    for seed in range(4):
        case = draw(one, seed)
        truth = one.truth(case)
        rounded = exercise == "flash-backward"  # the log-sum-exp that it starts from is in single precision
        assert worst(one.compute(case, {}), truth, one.outputs, case) < (1e-6 if rounded else 1e-9)
        assert all(np.isfinite(t).all() for t in truth)


@pytest.mark.parametrize("exercise", IDS)
def test_each_wrong_variant_differs_from_the_truth_and_is_known(exercise: str) -> None:
    one = task(exercise)
    flags = [{}, {"causal": True}] if any(r.name == "causal" for r in one.roles) else [{}]
    taken = {r.name for r in one.roles if r.required or r.name == "mask"}
    long = {"q": 133, "k": 131, "b": 1} if len({"q", "k", "mask"} & taken) == 3 else {}
    sizes = ({}, {"q": 7} if "q" in one.dims else {}, {"e": one.dims.get("d"), "k": 5} if one.tiled else {}, long)
    drawn: dict[str, tuple[Case, tuple[np.ndarray, ...]]] = {}
    for wrong in one.wrong:
        far = 0.0
        asked = taken | {r.name for r in one.roles if r.name == "block" and "@given" in wrong.option}
        for values, dims in itertools.product(flags, sizes):
            if far > 2e-5 or (dims is long and (not long or "@given" in wrong.option or "256" in wrong.option)):
                continue
            key = repr((sorted(asked), values, dims))
            if key not in drawn:
                case = one.case(np.random.default_rng(1), dims, taken=frozenset(asked), **values)
                case = {**{a.key: a.values[0] for a in one.alternatives}, **case}
                drawn[key] = case, one.truth(case)
            case, truth = drawn[key]
            try:
                with np.errstate(all="ignore"):
                    got = one.compute({**case}, {wrong.stage: wrong.option})
            except (ValueError, IndexError):
                continue
            far = max(far, worst(tuple(np.asarray(g) for g in got), truth, one.outputs, case))
        if wrong.code == "mask-fill-weak" or "@256" in wrong.option:
            continue  # shows where logits are large, or keys many
        if far < 1e-6 and wrong in family_wrong():
            continue  # of the family of attentions, and of no meaning for queries, keys and values that are given
        if wrong.option not in ("first-row", "from-first"):
            assert far > 2e-5 or (exercise == "linear-attention" and "chunk" in wrong.option), wrong
        assert set(wrong.code.split()) <= set(BUG_CLASSES), wrong


@pytest.mark.parametrize("exercise", IDS)
def test_the_oracle_keeps_single_precision(exercise: str) -> None:
    one = task(exercise)
    if one.narrow_dtype:
        pytest.skip("its yardstick is half precision")
    case = draw(one)
    for role in one.roles:
        if role.kind == "float" and role.axes and case.get(role.name) is not None:
            case[role.name] = case[role.name].astype(np.float32)
    assert {np.asarray(o).dtype for o in one.truth(case)} == {np.dtype(np.float32)}


@pytest.mark.parametrize("exercise", IDS)
def test_stubs_are_python_and_name_their_exercise(exercise: str) -> None:
    known = exercises()[exercise]
    assert known.stub.startswith(f"# coach: {exercise}\n")
    ast.parse(known.stub)
    assert all(hint.en and hint.zh for hint in known.hints)
    assert known.questions


def test_stubs_that_were_never_filled_in_cannot_be_graded(sandbox: Sandbox) -> None:
    for exercise in IDS:
        report = grade("stub.py", text=exercises()[exercise].stub, sandbox=sandbox)
        assert report.error is not None and report.error.kind == "crash", exercise


def test_gradients_of_the_backward_oracles_are_those_of_autograd() -> None:
    one = task("attention-backward")
    case = draw(one)
    q, k, v = (wide(case[r]).requires_grad_() for r in "qkv")
    (torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v).backward(wide(case["d_out"]))
    for got, leaf in zip(one.truth(case), (q, k, v), strict=True):
        assert leaf.grad is not None
        assert distance(got, leaf.grad.numpy()) < 1e-12
    rows = task("softmax-backward")
    case = draw(rows)
    x = wide(case["x"]).requires_grad_()
    p = torch.softmax(x, -1)
    p.backward(wide(case["dp"]))
    case["p"] = p.detach().numpy()
    assert x.grad is not None and distance(rows.truth(case)[0], x.grad.numpy()) < 1e-12


def test_merging_two_halves_is_attention_over_all_keys() -> None:
    rng = np.random.default_rng(0)
    logits, values = rng.normal(size=(2, 3, 5, 9)) * 3, rng.normal(size=(2, 3, 9, 4))
    parts = [
        (softmax(s) @ v, np.log(np.exp(s).sum(-1)))
        for s, v in ((logits[..., :4], values[..., :4, :]), (logits[..., 4:], values[..., 4:, :]))
    ]
    out, lse = task("merge-lse").truth(
        {"out_a": parts[0][0], "lse_a": parts[0][1], "out_b": parts[1][0], "lse_b": parts[1][1]}
    )
    assert distance(out, softmax(logits) @ values) < 1e-12
    assert distance(lse, np.log(np.exp(logits).sum(-1))) < 1e-12


def test_rope_makes_products_depend_on_the_distance_alone() -> None:
    rng = np.random.default_rng(1)
    q, k = rng.normal(size=(2, 1, 1, 1, 12))
    products = []
    for shift in (0, 5, 100):
        turned = [
            task("rope").truth({"x": t, "x2": t, "positions": np.array([p + shift]), "base": 100.0, "pairing": "half"})[
                0
            ]
            for t, p in ((q, 7), (k, 3))
        ]
        products.append(float((turned[0] * turned[1]).sum()))
    assert np.ptp(products) < 1e-12 and abs(products[0]) > 1e-3


def test_label_smoothing_is_the_library_loss() -> None:
    one = task("label-smoothing")
    case = draw(one, eps=0.2)
    expected = torch.nn.functional.cross_entropy(
        wide(case["logits"]), torch.from_numpy(case["target"]), label_smoothing=0.2
    )
    assert one.truth({**case, "eps": 0.2})[0] == pytest.approx(float(expected), abs=1e-12)


def test_layouts_come_back_as_they_went() -> None:
    array = np.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5)
    for layout in LAYOUTS.values():
        fixed = array[tuple(slice(0, 1) if a in layout.drop else slice(None) for a in "bhsd")]
        assert np.array_equal(layout.back(layout.out_of(fixed, "bhsd"), "bhsd"), fixed), layout.name


def test_nan_and_infinity_are_at_no_distance_from_nothing_else() -> None:
    want = np.array([1.0, -np.inf])
    assert distance(np.array([1.0, -np.inf]), want) == 0.0
    assert distance(np.array([1.0, np.nan]), want) == float("inf")
    assert distance(np.array([np.nan, -np.inf]), want) == float("inf")
    assert distance(np.array([1.0, np.inf]), want) == float("inf")


@pytest.mark.parametrize(
    ("name", "codes"), [("flash_grouped_heads.py", ()), ("flash_gqa_tiled.py", ("gqa-tiled-heads",))]
)
def test_grouped_heads_are_looked_at_where_code_takes_them(name: str, codes: tuple[str, ...], sandbox: Sandbox) -> None:
    report = grade(CORPUS / ("wrong" if codes else "right") / name, "flash-forward", sandbox=sandbox, seed=1)
    found = next(c for c in report.checks if c.id == "shape.grouped-heads")
    assert (found.status, tuple(d.code for d in report.diagnosis)) == ("fail" if codes else "pass", codes)
