"""Files of a long batch graded side by side, each in one of several sandboxes.

What the grader itself computes takes turns; the submissions run at once, on processors of their own.
"""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from threading import Thread

from interview_coach.grading.report import Report
from interview_coach.grading.sandbox import Sandbox


def side_by_side(
    grade: Callable[[str, Sandbox], Report], paths: Sequence[str], sandboxes: Sequence[Sandbox]
) -> Iterator[Report]:
    """The reports of all files, in order. Each sandbox takes the next file when it is done with one."""
    left: queue.SimpleQueue[tuple[str, Future[Report]]] = queue.SimpleQueue()
    waiting: list[Future[Report]] = [Future() for _ in paths]
    for job in zip(paths, waiting, strict=True):
        left.put(job)

    def work(sandbox: Sandbox) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                path, future = left.get_nowait()
                try:
                    future.set_result(grade(path, sandbox))
                except BaseException as error:
                    future.set_exception(error)

    for sandbox in sandboxes:
        Thread(target=work, args=(sandbox,), daemon=True).start()
    try:
        for future in waiting:
            yield future.result()
    finally:  # whoever stops early leaves nothing to begin with
        with contextlib.suppress(queue.Empty):
            while True:
                left.get_nowait()
