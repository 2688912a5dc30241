"""Watching a file: the state machine without a terminal, the first hint, and the process kept ready."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from interview_coach.exercises import exercises
from interview_coach.grading import grade
from interview_coach.grading.codes import BUG_CLASSES
from interview_coach.grading.first_hint import _GENERAL, first_hint
from interview_coach.grading.protocol import Limits
from interview_coach.grading.render import Style
from interview_coach.grading.report import GROUPS, Check, Contract, Diagnosis, GradeError, Report
from interview_coach.grading.sandbox import Sandbox
from interview_coach.grading.watch.session import INTERRUPT, WatchSession
from interview_coach.grading.watch.terminal import key_names, reference_solution

FIRST_WRONG = "D = 11; first at [0, 1, 2, 5]: got 1.5, expected -2.25; 3 of 9 wrong, 1 NaN"
CHECKS = (
    Check("formula.generic", "formula", "fail", 0.41, 1e-5, "relative error", FIRST_WRONG),
    Check("formula.second-draw", "formula", "fail", 0.41, 1e-5, None, "first at [0]: got 8, expected 9"),
    Check("shape.one-token", "shape", "fail", detail="raised ValueError: bad shape"),
    Check("hygiene.repeatable", "hygiene", "pass"),
)
CONTRACT = Contract("torch", "BHSD", summary="attention(q, k, v) · torch")
MISSING = Diagnosis("missing-scale", "your output equals attention without the factor 1/√d", 3, 3e-7, "why-sqrt-dk")
WRONG = Report("mine.py", "sdpa", "attention", CONTRACT, "fail", False, None, None, 40, 7, CHECKS, (MISSING,))
RIGHT = replace(WRONG, verdict="pass", correct=True, stable=True, score=100, checks=WRONG.checks[3:], diagnosis=())
CRASHED = replace(WRONG, verdict="error", checks=(), diagnosis=(), error=GradeError("crash", "raised TypeError"))


class Bench:
    """A session whose grades are given."""

    def __init__(self, *reports: Report, height: int | None = None, language: str = "en") -> None:
        self.reports, self.graded, self.told = list(reports), 0, 0
        style = Style(language, 80)  # type: ignore[arg-type]
        self.session = WatchSession(
            "mine.py", self._grade, {"sdpa": "def solution(): ...\n"}.get, style, height, self._tell
        )

    def _grade(self) -> Report:
        self.graded += 1
        return self.reports.pop(0) if len(self.reports) > 1 else self.reports[0]

    def _tell(self, report: Report) -> None:
        self.told += 1

    def save(self, text: str = "x = 1\n", **options: bool) -> str:
        return self._text(self.session.saved(text, **options))

    def press(self, *keys: str) -> str:
        for key in keys:
            screen = self.session.pressed(key)
        return self._text(screen)

    @staticmethod
    def _text(screen: object) -> str:
        body, remark, keys = screen.body, screen.remark, screen.keys  # type: ignore[attr-defined]
        return "\n".join([*body, f"[{remark}]", keys])


# --- saves ----------------------------------------------------------------------------------------------------------


def test_a_save_is_graded_and_shown_without_a_next_command() -> None:
    bench = Bench(WRONG)
    text = bench.save("a\nb\ns = q @ k\n")
    assert "✗ wrong: your output equals attention without the factor 1/√d, to 3e-07" in text
    assert "s = q @ k" in text, "the line that the diagnosis points at is quoted"
    assert "next:" not in text
    assert text.endswith("\n[]\n h hint   d diff   s solution   l 中文   q quit")
    assert (bench.graded, bench.told) == (1, 1)


def test_the_same_text_is_not_graded_again_unless_asked() -> None:
    bench = Bench(WRONG)
    bench.save("x = 1\n")
    bench.save("x = 1\n")
    assert bench.graded == 1
    bench.save("x = 1\n", again=True)
    bench.save("x = 2\n")
    assert bench.graded == 3


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("def f(:\n", "[line 1: invalid syntax; waiting for the next save]"),
        ("x = 1\ny = (\n", "[line 2: '(' was never closed; waiting for the next save]"),
        ("  \n", "[The file is empty; waiting for the next save.]"),
    ],
)
def test_a_half_written_save_is_one_calm_line_beside_the_last_verdict(text: str, remark: str) -> None:
    bench = Bench(WRONG)
    before = bench.save()
    after = bench.save(text)
    assert remark in after
    assert bench.graded == 1
    assert after.replace(remark, "[]") == before
    assert "[]" in bench.save("x = 3\n"), "the remark goes with the next whole save"


def test_a_file_that_goes_and_comes_back_is_graded() -> None:
    from interview_coach.text import Text

    bench = Bench(WRONG)
    bench.save()
    assert bench.session.missing(Text("gone", "不见了")).remark == "gone"
    assert "[]" in bench.save()
    assert bench.graded == 2


# --- keys -----------------------------------------------------------------------------------------------------------


def test_hints_start_at_the_one_that_speaks_of_the_bug_and_end_with_the_third() -> None:
    bench = Bench(WRONG)
    bench.save()
    hints = exercises()["sdpa"].hints
    second = bench.press("h")
    assert "hint 2 of 3 · formula.generic" in second
    assert " ".join(hints[1].en.split()) in " ".join(second.split())
    third = bench.press("h")
    assert "hint 3 of 3" in third
    assert "h hint" not in third
    assert bench.press("h") == third, "no more hints"


def test_hints_that_were_seen_are_not_shown_again_after_a_save() -> None:
    shapes = replace(WRONG, diagnosis=(), checks=WRONG.checks[2:])
    bench = Bench(WRONG, shapes)
    bench.save()
    bench.press("h")
    assert "✗ wrong" in bench.save("x = 2\n"), "a save goes back to the verdict"
    assert "hint 1 of 3 · shape.one-token" in bench.press("h")
    assert "hint 3 of 3" in bench.press("h"), "the second was seen before"


def test_another_exercise_starts_its_hints_afresh() -> None:
    bench = Bench(WRONG, replace(WRONG, exercise="multi-head"))
    bench.save()
    bench.press("h", "h")
    bench.save("x = 2\n")
    assert "hint 2 of 3" in bench.press("h")


def test_the_diff_shows_the_first_wrong_entry_of_each_group() -> None:
    bench = Bench(WRONG)
    bench.save()
    lines = [" ".join(line.split()) for line in bench.press("d").splitlines()]
    assert "✗ formula.generic" in lines
    start = lines.index("✗ formula.generic")
    assert lines[start + 1 : start + 6] == [
        "D = 11", "at [0, 1, 2, 5]", "expected -2.25", "got 1.5",
        "3 of 9 wrong, 1 NaN error 4.1e-01, allowed 1.0e-05",
    ]  # fmt: skip
    assert "✗ formula.second-draw" not in lines
    assert lines[lines.index("✗ shape.one-token") + 1] == "raised ValueError: bad shape"
    assert "✗ wrong" in bench.press("esc")


def test_the_solution_comes_at_once_after_a_pass_and_else_after_a_second_s() -> None:
    bench = Bench(WRONG, RIGHT)
    verdict = bench.save()
    asked = bench.press("s")
    assert "s once more shows the solution" in asked and "def solution" not in asked
    assert bench.press("x") == verdict, "another key means no"
    assert "def solution" not in bench.press("s")
    assert "def solution" in bench.press("s")
    assert bench.save("x = 2\n").endswith(" s solution   l 中文   q quit"), "a pass needs no hint and has no diff"
    assert "def solution" in bench.press("s")
    assert "s solution" not in bench.press("x")


@pytest.mark.parametrize("width", [40, 80])
def test_the_solution_fits_whatever_the_width(width: int) -> None:
    from interview_coach.page import display_width

    for exercise in exercises():
        code = reference_solution(exercise) or ""
        bench = Bench(replace(RIGHT, exercise=exercise))
        bench.session._solution = {exercise: code}.get
        bench.save()
        bench.session.resized(width, None)
        body = bench.session.pressed("s").body
        assert max(map(display_width, body)) <= width
        assert "".join("".join(body[2:]).split()) == "".join(code.split())


def test_a_save_takes_back_the_question_about_the_solution() -> None:
    bench = Bench(WRONG)
    bench.save()
    bench.press("s")
    bench.save("x = 2\n")
    assert "def solution" not in bench.press("s")


def test_what_cannot_be_graded_has_hints_and_shows_why() -> None:
    bench = Bench(CRASHED)
    bench.save()
    assert "hint 1 of 3" in bench.press("h")
    assert "raised TypeError" in bench.press("d")


def test_chinese_everywhere() -> None:
    bench = Bench(WRONG)
    bench.save()
    assert "h 提示   d 差异   s 参考解答   l English   q 退出" in bench.press("l")
    assert "提示 2/3" in bench.press("h")
    assert "应得" in bench.press("d")
    assert "第 1 行" in bench.save("def f(:\n")
    assert "h hint" in bench.press("l")


def test_keys_that_are_not_on_the_line_do_nothing() -> None:
    bench = Bench(RIGHT)
    before = bench.save()
    for key in ("h", "d", "esc", "space", "z"):
        assert bench.press(key) == before
    assert not bench.session.finished


@pytest.mark.parametrize("key", ["q", INTERRUPT])
def test_the_end(key: str) -> None:
    bench = Bench(WRONG)
    bench.save()
    bench.press(key)
    assert bench.session.finished


def test_before_the_first_verdict_only_quitting_makes_sense() -> None:
    bench = Bench(WRONG)
    assert bench.save("def f(:\n").endswith("\n l 中文   q quit")


def test_what_is_too_long_is_paged() -> None:
    bench = Bench(WRONG, height=8)
    bench.save()
    first = bench.session.screen().body
    assert len(first) == 6
    assert "space more" in bench.session.screen().keys
    assert bench.press("space").splitlines()[0] != first[0]
    for _ in range(10):
        bench.press("space")
        if bench.session.screen().body == first:
            break
    assert bench.session.screen().body == first, "after the last page comes the first"
    assert "space" not in bench.session.resized(80, 60).keys


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_line_of_keys_fits_into_80_columns_also_when_all_work(language: str) -> None:
    from interview_coach.page import display_width

    bench = Bench(WRONG, height=8, language=language)
    bench.save()
    bench.press("h")
    assert display_width(bench.session.screen().keys) <= 80


# --- the first hint -------------------------------------------------------------------------------------------------


def report(exercise: str, *codes: str, check: str = "") -> Report:
    checks = (Check(check, check.partition(".")[0], "fail"),) if check else ()  # type: ignore[arg-type]
    return replace(WRONG, exercise=exercise, checks=checks, diagnosis=tuple(Diagnosis(code, "") for code in codes))


@pytest.mark.parametrize(
    ("found", "level"),
    [
        (report("softmax", "no-max-subtraction", check="stability.large-logits"), 1),
        (report("softmax", check="stability.all-minus-infinity"), 3),
        (report("softmax", "softmax-wrong-axis", check="formula.draw-1"), 2),
        (report("sdpa", "scale-from-length", check="formula.generic"), 2),
        (report("sdpa", check="shape.one-token"), 1),
        (report("causal", "causal-top-left", check="formula.generic"), 1),
        (report("causal", "causal-leaks-next", check="formula.generic"), 2),
        (report("causal", "scale-by-d", check="formula.generic"), 3),
        (report("multi-head", "heads-not-transposed", check="formula.generic"), 2),
        (report("cross-attention", "mask-on-queries", check="mask.usable"), 2),
        (report("an-exercise-to-come", check="stability.rising"), 2),
        (CRASHED, 1),
        (RIGHT, 1),
    ],
)
def test_the_first_hint(found: Report, level: int) -> None:
    assert first_hint(found) == level


def test_a_remark_chooses_the_hint_where_nothing_failed() -> None:
    dead = replace(RIGHT, checks=(Check("mask.fully-masked-row", "mask", "warn"),))
    assert first_hint(dead) == 3


def test_the_table_speaks_of_what_exists() -> None:
    assert all(exercise.first_hint for exercise in exercises().values())
    for table in (_GENERAL, *(exercise.first_hint for exercise in exercises().values())):
        assert set(table.values()) <= {1, 2, 3}
        for key in table:
            known = key in BUG_CLASSES or key in GROUPS or key.partition(".")[0] in GROUPS
            assert known or (key.endswith("-") and any(code.startswith(key) for code in BUG_CLASSES)), key


def test_every_exercise_has_a_reference_solution_to_show() -> None:
    for exercise in exercises():
        assert "def " in (reference_solution(exercise) or ""), exercise
    assert reference_solution("no-such") is None


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("h", ["h"]),
        ("D", ["d"]),
        ("\x1b", ["esc"]),
        ("\x1b[A", []),
        (" ", ["space"]),
        ("\x04", ["q"]),
        ("hd", ["h", "d"]),
    ],
)
def test_key_names(typed: str, names: list[str]) -> None:
    assert key_names(typed) == names


# --- the process kept ready -----------------------------------------------------------------------------------------

SUBMISSION = "import numpy as np\nimport os\ndef f():\n    return np.array([os.getpid()])\n"


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(limits=Limits()) as made:
        yield made


def pid(sandbox: Sandbox, text: str = SUBMISSION) -> int:
    from interview_coach.grading.protocol import Call, Source

    with sandbox.open(Source(text, "f.py", None)) as guest:
        return int(guest.call(Call("f")).value.data[0])


def prepared(sandbox: Sandbox) -> list[Any]:
    """The processes that wait for the next submission."""
    return list(sandbox._spares._spares)


def test_prepared_processes_are_for_one_submission_and_only_if_they_fit(sandbox: Sandbox) -> None:
    sandbox.prepare(SUBMISSION)
    first, second = prepared(sandbox)
    sandbox.prepare(SUBMISSION)
    assert prepared(sandbox) == [first, second], "two are enough"
    assert pid(sandbox) == first._pid
    assert prepared(sandbox) == []
    assert not second.folder.exists(), "it was there while the submission ran"
    assert pid(sandbox) not in (first._pid, second._pid)

    sandbox.prepare("import numpy\nimport torch\n")
    others = prepared(sandbox)
    assert pid(sandbox) not in [other._pid for other in others]
    assert not any(other.folder.exists() for other in others), "what does not fit is ended"


def test_the_second_prepared_process_is_for_the_same_submission_again(sandbox: Sandbox) -> None:
    from interview_coach.grading.protocol import Source

    sandbox.prepare(SUBMISSION)
    _, second = prepared(sandbox)
    with sandbox.open(Source(SUBMISSION, "f.py", None)):
        assert pid(sandbox) == second._pid


def test_nothing_is_prepared_while_a_submission_runs(sandbox: Sandbox) -> None:
    from interview_coach.grading.protocol import Source

    with sandbox.open(Source(SUBMISSION, "f.py", None)):
        sandbox.prepare(SUBMISSION)
        assert prepared(sandbox) == []


def test_a_prepared_process_that_died_is_replaced(sandbox: Sandbox) -> None:
    sandbox.prepare(SUBMISSION)
    for spare in prepared(sandbox):
        sandbox._launcher._ask({"op": "end", "pid": spare._pid, "grace_s": 0}, [])  # type: ignore[attr-defined]
    assert pid(sandbox) > 0


def test_closing_ends_the_prepared_processes_too() -> None:
    made = Sandbox()
    made.prepare(SUBMISSION)
    spares = prepared(made)
    assert len(spares) == 2
    made.close()
    assert not any(spare.folder.exists() for spare in spares)


# --- for real -------------------------------------------------------------------------------------------------------

NUMPY = Path(__file__).parent.parent / "solutions" / "sdpa" / "stable_numpy.py"


def test_a_prepared_process_changes_no_verdict(sandbox: Sandbox) -> None:
    first = grade(NUMPY, sandbox=sandbox, seed=3)
    sandbox.prepare(NUMPY.read_text())
    second = grade(NUMPY, sandbox=sandbox, seed=3)
    assert first.verdict == second.verdict == "pass"
    assert first.checks == second.checks


def wait_for(seen: bytearray, terminal: int, wanted: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while wanted not in seen.decode(errors="replace"):
        ready, _, _ = select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"{wanted!r} did not appear in {seen.decode(errors='replace')[-2000:]}"
        seen += os.read(terminal, 65536)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("end", ["q", "ctrl+c", "terminate"])
def test_in_a_terminal(tmp_path: Path, end: str) -> None:
    import pty
    import termios

    file = tmp_path / "mine.py"
    right = NUMPY.read_text()
    file.write_text(right)
    home = {"INTERVIEW_COACH_HOME": str(tmp_path), "TERM": "xterm", "COLUMNS": "80", "LINES": "24", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "interview_coach", "grade", file.name, "--watch", "--lang", "en"]
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.execve(sys.executable, command, os.environ | home)
    before = termios.tcgetattr(terminal)
    seen = bytearray()
    try:
        wait_for(seen, terminal, "correct and stable")
        assert not termios.tcgetattr(terminal)[3] & termios.ICANON
        seen.clear()
        file.write_text("def attention(\n")
        wait_for(seen, terminal, "waiting for the next save")
        seen.clear()
        file.write_text(f"# again\n{right}")
        wait_for(seen, terminal, "correct and stable")
        if end == "terminate":
            os.kill(pid, signal.SIGTERM)
        else:
            os.write(terminal, b"q" if end == "q" else b"\x03")
        wait_for(seen, terminal, "\x1b[?1049l")
        wait_for(seen, terminal, "✓ mine.py: correct and stable")
        assert termios.tcgetattr(terminal) == before, "the terminal is set back"
        with contextlib.suppress(OSError):
            # The end of the terminal: the process has closed its side.
            wait_for(seen, terminal, "\0")
        _, status = os.waitpid(pid, 0)
        pid = 0
    finally:
        if pid:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 0
