"""Submissions in the manner of real people: no right one fails, no wrong one passes, and the bugs are named.

The normal suite takes one right one in twelve and one wrong one in thirty; ``make mutation`` takes them all.
"""

from __future__ import annotations

import pytest

from interview_coach.grading.engine import grade
from interview_coach.grading.sandbox import Sandbox
from tests.corpus_support import Entry, entries

RIGHT, WRONG = 12, 30


@pytest.mark.parametrize("entry", entries("right")[::RIGHT], ids=lambda e: e.id)
def test_a_right_submission_passes(entry: Entry, sandbox: Sandbox) -> None:
    report = grade(entry.path, entry.exercise, sandbox=sandbox, seed=1)
    failed = [(c.id, c.detail) for c in report.checks if c.status == "fail"]
    assert (report.verdict, report.error, failed) == ("pass", None, [])
    assert not report.diagnosis


@pytest.mark.parametrize("entry", entries("wrong")[::WRONG], ids=lambda e: e.id)
def test_a_wrong_submission_fails_and_its_bug_is_named(entry: Entry, sandbox: Sandbox) -> None:
    report = grade(entry.path, entry.exercise, sandbox=sandbox, seed=1)
    assert report.verdict == "fail"
    if entry.correct is not None:
        assert report.correct is entry.correct
    if entry.stable is not None and report.correct:
        assert report.stable is entry.stable
    if entry.codes:
        assert entry.codes & {d.code for d in report.diagnosis}


def test_the_verdict_does_not_depend_on_names_or_comments(sandbox: Sandbox) -> None:
    entry = next(e for e in entries("wrong") if e.id == "sdpa_01.py")
    text = entry.path.read_text("utf-8")
    seen = {
        tuple(d.code for d in grade(name, entry.exercise, text=body, sandbox=sandbox, seed=1).diagnosis)
        for name, body in (("a.py", text), ("right.py", text + "\n# this is right\n"), ("solution_pass.py", text))
    }
    assert len(seen) == 1


def test_a_fault_of_the_grader_is_told_from_one_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: object) -> None:
        raise KeyError("no such stage")

    monkeypatch.setattr("interview_coach.grading.engine._Grading.report", broken)
    report = grade("mine.py", "softmax", text="def softmax(x):\n    return x\n", sandbox=object())  # type: ignore[arg-type]
    assert report.verdict == "error" and report.error is not None
    assert report.error.message == (
        "mine.py: the grader failed (KeyError: 'no such stage'). That is a fault of Interview Coach, "
        "not of this code; please report it with the file and what this prints: coach doctor"
    )


@pytest.mark.parametrize("name", ["softmax_complex.py", "softmax_seventh_call.py"])
def test_a_softmax_that_no_formula_explains(name: str, sandbox: Sandbox) -> None:
    entry = next(e for e in entries("wrong") if e.id == name)
    report = grade(entry.path, entry.exercise, sandbox=sandbox, seed=1)
    assert report.verdict == "fail"
    assert not entry.codes or {d.code for d in report.diagnosis} <= entry.codes
