"""Hostile submissions: how each ends, how long it may take, and that nothing of it is left."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from interview_coach.grading.protocol import Call, Failure, Limits, Opaque, Outcome, Source, Tensor
from interview_coach.grading.sandbox import Sandbox, SubmissionError
from interview_coach.grading.start import MARKER

HOSTILE = Path(__file__).parent / "hostile"
LIMITS = Limits(load_s=1.0, call_s=1.0, memory_bytes=64 * 2**20, output_bytes=4096, result_bytes=2**20)
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")


@dataclass(frozen=True)
class Case:
    """A submission of ``tests/hostile`` and how grading it must end."""

    name: str
    kind: str | None
    reason: str = ""
    detail: str = ""
    seconds: float = 3.0


CASES = (
    Case("infinite_loop", "timeout", "timeout", "1 s"),
    Case("loop_on_load", "timeout", "timeout-load", "1 s"),
    Case("exit_on_load", "import", "exit-on-load", "sys.exit(0)"),
    Case("exit_in_call", "crash", "exit", "sys.exit(3)"),
    Case("os_exit", "crash", "ended", "exit code 0"),
    Case("os_exit_on_load", "crash", "ended", "exit code 0"),
    Case("kill_self", "crash", "signal", "SIGSEGV"),
    Case("segfault", "crash", "signal", "SIGSEGV"),
    Case("abort", "crash", "signal", "SIGABRT"),
    Case("memory", "memory", "memory", "64 MiB"),
    Case("memory_at_once", "memory", "memory", "64 MiB"),
    Case("memory_python", "memory", "memory", "64 MiB"),
    Case("prints", None),
    Case("children", None),
    Case("fork_bomb", "timeout", "timeout", seconds=15.0),
    Case("daemon", None),
    Case("forks_and_returns", None),
    Case("thread", None),
    Case("close_files", "crash"),
    Case("garbage", "crash", "garbage", "channel"),
    Case("partial_frame", "timeout", "timeout"),
    Case("late_garbage", None),
    Case("deaf", "timeout", "timeout"),
    Case("recursion", "crash", "raised", "RecursionError"),
    Case("deep_recursion", "crash", seconds=8.0),
    Case("kill_group", "crash", "signal", "SIGKILL"),
    Case("huge_result", "output", "huge", "at most 1 MiB"),
    Case("many_results", "output", "unsendable"),
    Case("generator", None),
    Case("coroutine", None),
    Case("lose_folder", None),
    Case("environment", None),
    Case("mutates", None),
    Case("long_message", "crash", "raised", "ValueError"),
    Case("lying_message", "crash", "raised", "Sly"),
    Case("interrupt", "crash", "raised", "KeyboardInterrupt"),
    Case("hanging_end", None),
    Case("alarm", None),
    Case("reads_answers", "import", "off-limits"),
    Case("syntax", "import", "syntax", "line 3"),
    Case("needs_jax", "import", "missing-package", "pip install jax"),
    Case("raises", "crash", "raised", "RuntimeError: no luck"),
    Case("raises_on_load", "import", "raised-on-load", "ZeroDivisionError"),
    Case("stdin", "crash", "raised", "EOFError"),
    Case("nested", None),
)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(limits=LIMITS) as made:
        yield made
    assert left_over(made.marker, set()) == set()


def left_over(marker: str, known: set[int]) -> set[int]:
    """Processes that the sandbox started, beyond those that are known."""
    found = set()
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                if f"{MARKER}={marker}".encode() in (process / "environ").read_bytes():
                    found.add(int(process.name))
            except OSError:
                continue
    return found - known


def source(name: str) -> Source:
    path = HOSTILE / f"{name}.py"
    return Source(path.read_text(), str(path), str(HOSTILE))


def array(*shape: int) -> Tensor:
    return Tensor(np.arange(np.prod(shape), dtype=np.float32).reshape(shape), "float32")


CALL = Call("attention", (array(2, 2), array(2, 2), array(2, 2)), framework="numpy")


def outcome(sandbox: Sandbox, name: str) -> tuple[Outcome, str]:
    try:
        with sandbox.open(source(name)) as guest:
            return guest.call(CALL), guest.stdout
    except SubmissionError as error:
        return Outcome(failure=error.failure), ""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_ends_as_it_must(sandbox: Sandbox, case: Case) -> None:
    outcome(sandbox, "raises")
    zygote = left_over(sandbox.marker, set())
    started = time.monotonic()
    result, _ = outcome(sandbox, case.name)
    elapsed = time.monotonic() - started
    failure = result.failure or Failure("contract", "")
    assert (result.failure and failure.kind) == case.kind, failure
    assert case.reason in failure.reason
    assert case.detail in failure.message
    assert len(failure.message) < 3000
    assert elapsed < case.seconds
    assert left_over(sandbox.marker, zygote) == set()


def test_a_file_that_fills_the_disk_meets_its_limit() -> None:
    # On a slow disk the limit of size is reached long after a second.
    with Sandbox(limits=replace(LIMITS, call_s=30.0, total_s=60.0)) as patient:
        result, _ = outcome(patient, "fills_disk")
    assert result.failure is not None
    assert result.failure.kind == "crash", result.failure


def test_every_hostile_file_is_in_the_table() -> None:
    separate = {"kill_parent", "fills_disk"}
    assert {path.stem for path in HOSTILE.glob("*.py")} == {case.name for case in CASES} | separate


def test_output_is_cut_and_says_so(sandbox: Sandbox) -> None:
    _, printed = outcome(sandbox, "prints")
    assert printed.startswith("xxxx")
    assert printed.endswith(f"[… {1000 * 100_000 - 4096:,} more bytes]")


def test_a_changed_argument_is_named(sandbox: Sandbox) -> None:
    result, _ = outcome(sandbox, "mutates")
    assert result.mutated == ("1",)


def test_what_is_no_value_is_named_by_its_type(sandbox: Sandbox) -> None:
    assert outcome(sandbox, "generator")[0].value == Opaque("generator")
    assert outcome(sandbox, "coroutine")[0].value == Opaque("coroutine")


def test_process_state_is_set_back_before_each_call(sandbox: Sandbox) -> None:
    with sandbox.open(source("environment")) as guest:
        first, second = guest.call(CALL), guest.call(CALL)
    assert first.value == second.value
    assert first.value[0] is None
    assert first.value[1] != "/nowhere"
    assert first.value[2] is False


def test_an_exception_tells_the_line_of_the_submission(sandbox: Sandbox) -> None:
    failure = outcome(sandbox, "raises")[0].failure
    assert failure is not None
    assert (failure.exception, failure.line) == ("RuntimeError", 4)


def test_forged_frames_after_a_call_end_the_guest(sandbox: Sandbox) -> None:
    with sandbox.open(source("late_garbage")) as guest:
        outcomes = (guest.call(CALL).failure for _ in range(1000))
        failure = next(failure for failure in outcomes if failure is not None)
        assert (failure.kind, failure.reason) == ("crash", "garbage")
        # The next one has a new process, which mostly has time for a call before it does the same.
        assert any(guest.call(CALL).failure is None for _ in range(4))


@pytest.mark.parametrize("start", ["namespace", "fork"])
@pytest.mark.parametrize("name", ["kill_parent", "daemon", "children", "forks_and_returns", "deaf"])
def test_nothing_is_left_with_and_without_a_namespace(start: Literal["namespace", "fork"], name: str) -> None:
    with Sandbox(limits=LIMITS, start=start) as sandbox:
        outcome(sandbox, "raises")
        outcome(sandbox, name)
        kept = left_over(sandbox.marker, set())
        result, _ = outcome(sandbox, "raises")
        assert result.failure is not None
        assert result.failure.reason == "raised"
        # The zygote, and where it has a namespace the process that made it.
        assert len(kept) <= (2 if start == "namespace" else 1)
    assert left_over(sandbox.marker, set()) == set()


def test_a_lost_parent_leaves_nothing() -> None:
    sandbox = Sandbox(limits=LIMITS)
    guest = sandbox.open(source("daemon"))
    guest.call(CALL)
    assert left_over(sandbox.marker, set())
    sandbox._launcher._zygote.control.close()  # type: ignore[attr-defined]
    deadline = time.monotonic() + 5
    while left_over(sandbox.marker, set()) and time.monotonic() < deadline:
        pass
    assert {pid for pid in left_over(sandbox.marker, set()) if not is_zombie(pid)} == set()
    sandbox.close()


def is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True
