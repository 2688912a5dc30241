"""A head start: the process that runs submissions begins while this one still imports Typer and numpy."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interview_coach.grading.sandbox import Sandbox

_started: list[Sandbox] = []


@contextmanager
def head_start(arguments: Sequence[str]) -> Iterator[None]:
    """Starts a sandbox if the command line names a file to grade, and ends it at last.

    What is seen in ``arguments`` only decides how early things start, and is parsed properly later.
    """
    # A start makes many objects and no garbage.
    gc.set_threshold(50_000)
    files = [name for name in arguments if name.endswith(".py") and os.path.isfile(name)]  # noqa: PTH113 - a name too long raises nothing
    try:
        if files:
            from interview_coach.grading.sandbox import Sandbox, imported_modules

            text = _beginning(Path(files[0]))
            torch = not {"torch", "triton"}.isdisjoint(imported_modules(text))
            _started.append(Sandbox(isolate="--isolate" in arguments, preload_torch=torch, lingering=True))
        yield
    finally:
        while _started:
            _started.pop().close()


def _beginning(file: Path) -> str:
    """Enough of a file to see what it imports; nothing, of one that cannot be read: the grader will say so."""
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            return opened.read(2**20)
    except OSError:
        return ""


def sandbox(*, isolate: bool) -> Sandbox:
    """The sandbox that was started, or a new one. It ends with the command."""
    return _started[0] if _started else another_sandbox(isolate=isolate)


def another_sandbox(*, isolate: bool) -> Sandbox:
    """A new sandbox. It ends with the command."""
    from interview_coach.grading.sandbox import Sandbox

    _started.append(Sandbox(isolate=isolate, lingering=True))
    return _started[-1]
