"""A head start: the process that runs submissions begins while this one still imports what it needs itself."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interview_coach.grading.sandbox import Sandbox
    from interview_coach.grading.start import Zygote

_zygotes: list[Zygote] = []
_sandboxes: list[Sandbox] = []


@contextmanager
def head_start(arguments: Sequence[str]) -> Iterator[None]:
    """Starts a process if the command line names a file to grade, and ends it at last.

    What is seen in ``arguments`` only decides how early things start, and is parsed properly later.
    """
    grades = "grade" in arguments
    files = [name for name in arguments if name.endswith(".py") and os.path.isfile(name)]  # noqa: PTH113 - a name too long raises nothing
    if grades:
        # A grade makes many objects and little garbage: of one file, all together are fewer.
        gc.set_threshold(200_000)
    try:
        if grades and files and hasattr(os, "fork"):
            _zygotes.append(_zygote(files[0], isolate="--isolate" in arguments))
        yield
    finally:
        if _zygotes:
            sandbox(isolate=False)
        while _sandboxes:
            _sandboxes.pop().close()


def _zygote(file: str, *, isolate: bool) -> Zygote:
    from interview_coach.grading.imports import imported_modules
    from interview_coach.grading.start import Zygote

    torch = not {"torch", "triton"}.isdisjoint(imported_modules(_beginning(file)))
    return Zygote(isolate=isolate, preload=("torch",) if torch else ())


def _beginning(file: str) -> str:
    """Enough of a file to see what it imports; nothing, of one that cannot be read: the grader will say so."""
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:  # noqa: PTH123 - pathlib takes longer to import
            return opened.read(2**20)
    except OSError:
        return ""


def sandbox(*, isolate: bool) -> Sandbox:
    """The sandbox around the process that was started, or a new one. It ends with the command."""
    return _sandboxes[0] if _sandboxes else another_sandbox(isolate=isolate)


def another_sandbox(*, isolate: bool) -> Sandbox:
    """A new sandbox. It ends with the command."""
    from interview_coach.grading.sandbox import Sandbox

    zygote = _zygotes.pop() if _zygotes else None
    _sandboxes.append(Sandbox(isolate=isolate, lingering=True, zygote=zygote))
    return _sandboxes[-1]
