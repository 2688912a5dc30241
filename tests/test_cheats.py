"""Cheats do not pass, and honest code that looks like one does.

The corpus is in ``corpus/hostile``; what is found there is decided by numbers, so most is run without the diagnosis.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interview_coach.exercises import exercises
from interview_coach.grading.cases import Dims, make_case
from interview_coach.grading.contract import Subject
from interview_coach.grading.engine import grade
from interview_coach.grading.hints import Hints
from interview_coach.grading.infer import infer
from interview_coach.grading.inference import Inference
from interview_coach.grading.numbers import relative_error
from interview_coach.grading.protocol import Call, Limits, Source, Tensor
from interview_coach.grading.reference import allowed_error, truth
from interview_coach.grading.sandbox import Sandbox
from interview_coach.resources import resource_dir
from tests.corpus_support import entries
from tests.hostile_support import Hostile, hostile, left_over, spare_the_diagnosis, spare_the_search

EVERY = 6
"""Of the quick ones, the normal suite takes one in so many."""

CHEATS = ("cheat_", "library_", "honest_")
LIMITS = Limits(load_s=20, call_s=10, total_s=40, memory_bytes=2**30)

RIGHT = """
import torch

def attention(q, k, v, mask=None):
    \"\"\"mask: True = may attend (bool) or additive (float).\"\"\"
    s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf")) if mask.dtype == torch.bool else s + mask
    dead = torch.isneginf(s).all(-1, keepdim=True)
    out = s.masked_fill(dead, 0.0).softmax(-1).masked_fill(dead, 0.0) @ v
    {after}
    return out
"""


@pytest.fixture(scope="module")
def sandbox(sandbox: Sandbox) -> Iterator[Sandbox]:
    usual, sandbox.limits = sandbox.limits, LIMITS
    yield sandbox
    sandbox.limits = usual
    assert not left_over(sandbox)


@pytest.fixture
def unsearched(monkeypatch: pytest.MonkeyPatch) -> None:
    spare_the_search(monkeypatch)


@pytest.fixture
def undiagnosed(monkeypatch: pytest.MonkeyPatch) -> None:
    spare_the_diagnosis(monkeypatch)


def judge(entry: Hostile, sandbox: Sandbox, *, named: bool) -> None:
    started = time.monotonic()
    report = grade(entry.path, entry.exercise, sandbox=sandbox, seed=1)
    assert time.monotonic() - started < entry.seconds
    entry.judge(report, named=named)
    assert not left_over(sandbox)


@pytest.mark.parametrize("entry", hostile(*CHEATS)[::EVERY], ids=lambda e: e.path.stem)
def test_no_cheat_passes_and_no_honest_one_fails(entry: Hostile, sandbox: Sandbox, unsearched: None) -> None:
    judge(entry, sandbox, named=False)


@pytest.mark.slow
@pytest.mark.parametrize("entry", hostile(*CHEATS) + hostile(*CHEATS, slow=True), ids=lambda e: e.path.stem)
def test_cheats_are_named(entry: Hostile, sandbox: Sandbox) -> None:
    judge(entry, sandbox, named=True)


def test_a_hidden_call_is_named_and_may_be_allowed(sandbox: Sandbox) -> None:
    entry = next(e for e in hostile("library_") if e.path.stem == "library_get_operation")
    report = grade(entry.path, "sdpa", sandbox=sandbox, seed=1)
    assert [d.code for d in report.diagnosis] == ["delegates-to-library"]
    assert (report.correct, report.stable) == (True, True)
    assert grade(entry.path, "sdpa", sandbox=sandbox, seed=1, allow_library=True).verdict == "pass"


def test_every_file_of_the_corpus_is_in_its_manifest() -> None:
    listed = hostile("") + hostile("", slow=True)
    assert len({e.path for e in listed}) == len(listed)
    assert {e.path for e in listed} == set(listed[0].path.parent.glob("*.py"))


WAYS_TO_THE_ANSWERS = {
    "open": 'open(base + "/oracles/attention.py").read()',
    "os.open": 'os.open(base + "/oracles/attention.py", 0)',
    "relative": '(os.chdir(base), open("oracles/attention.py").read())',
    "by folder": 'os.open("attention.py", 0, dir_fd=os.open(base + "/oracles", os.O_DIRECTORY))',
    "by link": '(os.chdir(os.environ["HOME"]), os.symlink(base + "/oracles", "x"), open("x/attention.py").read())',
    "by proc": 'open("/proc/self/root" + base + "/oracles/attention.py").read()',
    "patched": '(setattr(os.path, "realpath", lambda path: "/"), open(base + "/oracles/attention.py").read())',
    "imported": '(sys.meta_path.pop(0), importlib.import_module("interview_coach.oracles.attention"))',
    "the family": 'importlib.import_module("interview_coach.grading.family")',
    "a solution": 'open(base + "/../solutions/sdpa/naive.py").read()',
    "bytes": 'open((base + "/oracles/attention.py").encode()).read()',
}


@pytest.mark.parametrize("way", WAYS_TO_THE_ANSWERS)
def test_answers_cannot_be_read(way: str, sandbox: Sandbox) -> None:
    text = (
        "import importlib, os, sys\n\ndef f():\n"
        '    base = sys.modules["interview_coach"].__path__[0]\n'
        f"    try:\n        {WAYS_TO_THE_ANSWERS[way]}\n"
        "    except BaseException as error:\n        return type(error).__name__\n"
    )
    with sandbox.open(Source(text, "thief.py")) as guest:
        outcome = guest.call(Call("f", framework="numpy"))
    assert outcome.value in ("PermissionError", "ModuleNotFoundError"), outcome


def test_the_worker_holds_no_answer(sandbox: Sandbox) -> None:
    text = (
        'import sys\n\ndef f():\n    return sorted(n for n in sys.modules if n.startswith("interview_coach"))\n'
        "def g():\n    import gc, numpy\n"
        "    return sum(isinstance(x, numpy.ndarray) and x.dtype == numpy.float64 for x in gc.get_objects())\n"
    )
    with sandbox.open(Source(text, "curious.py")) as guest:
        loaded = guest.call(Call("f", framework="numpy")).value
        arrays = guest.call(Call("g", framework="numpy")).value
    plain = {"interview_coach", "interview_coach.arrays", "interview_coach.grading", "interview_coach.records"}
    plain |= {"interview_coach.grading.wire", "interview_coach.grading.protocol"}
    assert [n for n in loaded if n not in plain and not n.startswith("interview_coach.grading.worker")] == []
    assert arrays == 0


# What comes out


POSITIONS = {
    "first": "0, 0, 0, 0",
    "last": "-1, -1, -1, -1",
    "inside": "1, 1, 2, 3",
    "last batch": "-1",
    "one head": ":, 1",
    "last query": "..., -1, :",
    "last channel": "..., -1",
}


@pytest.mark.parametrize(("position", "value"), zip(POSITIONS, ["nan", "inf", "-inf"] * 3, strict=False))
def test_not_a_number_anywhere_is_caught(position: str, value: str, sandbox: Sandbox, unsearched: None) -> None:
    index = POSITIONS[position]
    after = f"if out.shape[0] > 1 and out.shape[2] > 2: out = out.clone(); out[{index}] = float('{value}')"
    report = grade("nan.py", "sdpa", text=RIGHT.format(after=after), sandbox=sandbox, seed=2)
    assert (report.verdict, report.correct) == ("fail", False)
    assert next(c for c in report.checks if c.id == "formula.generic").status == "fail"


RETURNS_ITS_INPUT = {
    "softmax": "def softmax(x, dim=-1):\n    return x",
    "sdpa": "def attention(q, k, v, mask=None):\n    return v",
    "causal": "def causal_attention(q, k, v):\n    return v",
    "multi-head": """
class MultiHeadAttention(torch.nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.v = torch.nn.Linear(d_model, d_model)

    def forward(self, x, mask=None):
        return self.v(x)
""",
    "cross-attention": """
class CrossAttention(torch.nn.Module):
    def __init__(self, d_model, n_heads, d_context=None):
        super().__init__()
        self.v = torch.nn.Linear(d_context or d_model, d_model)

    def forward(self, x, context, context_mask=None):
        return self.v(context)
""",
}


@pytest.mark.parametrize("exercise", sorted(RETURNS_ITS_INPUT.keys() & exercises().keys()))
def test_returning_the_values_does_not_pass(exercise: str, sandbox: Sandbox, unsearched: None) -> None:
    text = f"import torch\n\n{RETURNS_ITS_INPUT[exercise]}\n"
    report = grade("v.py", exercise, text=text, sandbox=sandbox, seed=1)
    assert report.verdict in ("fail", "error")
    assert report.exit_code != 0


OTHERS = {"sdpa", "causal", "multi-head", "cross-attention", "softmax"}
"""The solutions of each other exercise are graded beside its other tests."""
SOLUTIONS = sorted(path for path in resource_dir("solutions").glob("*/*.py") if path.parent.name in exercises())


@pytest.mark.parametrize(
    "path", [p for p in SOLUTIONS if p.parent.name in OTHERS][1::3], ids=lambda p: f"{p.parent.name}-{p.stem}"
)
def test_a_solution_passes_its_exercise(path: Path, sandbox: Sandbox) -> None:
    passes(path, sandbox)


@pytest.mark.slow
@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_each_solution_passes_its_exercise(path: Path, sandbox: Sandbox) -> None:
    passes(path, sandbox)


def passes(path: Path, sandbox: Sandbox) -> None:
    report = grade(path, path.parent.name, sandbox=sandbox, seed=3, allow_library=True)
    failed = [(c.id, c.detail) for c in report.checks if c.status == "fail"]
    if path.stem == "naive":
        # Shown for what it lacks.
        assert report.correct, failed
        assert {id.partition(".")[0] for id, _ in failed} <= {"stability", "dtype"}, failed
    else:
        assert (report.verdict, failed) == ("pass", [])


# Seeds


def verdicts(files: list[tuple[Path, str]], seeds: range, sandbox: Sandbox) -> dict[str, set[str]]:
    """The verdicts that each file got."""
    return {
        path.name: {grade(path, exercise, sandbox=sandbox, seed=seed).verdict for seed in seeds}
        for path, exercise in files
    }


def sample(kind: str, every: int) -> list[tuple[Path, str]]:
    return [(e.path, e.exercise) for e in entries(kind)[::every]]


@pytest.mark.parametrize(("kind", "verdict"), [("right", "pass"), ("wrong", "fail")])
def test_no_seed_changes_a_verdict(kind: str, verdict: str, sandbox: Sandbox, undiagnosed: None) -> None:
    found = verdicts(sample(kind, 60)[:3], range(10, 12), sandbox)
    assert {name: v for name, v in found.items() if v != {verdict}} == {}


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "verdict"), [("right", "pass"), ("wrong", "fail")])
def test_no_seed_of_many_changes_a_verdict(kind: str, verdict: str, sandbox: Sandbox, undiagnosed: None) -> None:
    found = verdicts(sample(kind, 30)[:4], range(200), sandbox)
    assert {name: v for name, v in found.items() if v != {verdict}} == {}


# Any shape, any mask


@pytest.fixture(scope="module")
def subjects(sandbox: Sandbox) -> Iterator[dict[str, Inference]]:
    """A right function in several conventions, each with its contract worked out."""
    plain = RIGHT.format(after="pass")
    texts = {
        "BHSD": plain,
        "BSHD": plain.replace("s = q @", "q, k, v = (t.transpose(1, 2) for t in (q, k, v))\n    s = q @").replace(
            "return out", "return out.transpose(1, 2)"
        ),
        "drop": plain.replace("~mask", "mask").replace("True = may attend (bool) or", "True = hidden (bool) or"),
    }
    found, guests = {}, []
    for name, text in texts.items():
        guest = sandbox.open(Source(text, f"{name}.py"))
        guests.append(guest)
        info = next(c for c in guest.info.callables if c.name == "attention")
        prose = "mask: True = hidden" if name == "drop" else "mask: True = may attend"
        found[name] = infer(guest, info, "sdpa", ["torch"], Hints(prose, text), 1)
    yield found
    for guest in guests:
        guest.close()


SIZE = st.integers(1, 19)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(["BHSD", "BSHD", "drop"]),
    dims=st.builds(Dims, st.integers(1, 3), st.integers(1, 5), SIZE, SIZE, SIZE, SIZE),
    masked=st.booleans(),
    memory=st.sampled_from(["contiguous", "transposed", "split", "sliced"]),
    seed=st.integers(0, 2**16),
)
def test_a_right_function_is_right_on_any_shape(
    subjects: dict[str, Inference], name: str, dims: Dims, masked: bool, memory: Any, seed: int
) -> None:
    subject: Subject = subjects[name].subject
    assert subjects[name].choice == {}
    case = make_case(subject, np.random.default_rng(seed), replace(dims), masked=masked)
    observed = subject.run(case, memory=memory)
    assert observed.output is not None, observed.problem
    expected = truth(case)
    assert relative_error(observed.output, expected) <= allowed_error(case, expected)
    assert isinstance(observed.raw, Tensor)
