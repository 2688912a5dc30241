"""The grader as the app uses it: one warm sandbox for all runs, and a way to stop one."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interview_coach.grading.report import Report
    from interview_coach.grading.sandbox import Sandbox


class Grader:
    """Grades files one after the other. The sandbox starts with the first and is kept, so that the next is quick."""

    def __init__(self) -> None:
        self._sandbox: Sandbox | None = None
        self._lock = threading.Lock()

    def __call__(self, path: Path) -> Report:
        """Grade a file; blocks. Raises whatever a cancelled run ends with."""
        from interview_coach.grading import grade

        sandbox = self._open()
        try:
            return grade(path, sandbox=sandbox, timed=False)
        finally:
            if sandbox is not self._sandbox:
                # Cancelled while a worker was being started: the launcher then starts another one.
                sandbox.close()

    def _open(self) -> Sandbox:
        from interview_coach.grading.sandbox import Sandbox

        with self._lock:
            if self._sandbox is None:
                self._sandbox = Sandbox(lingering=True)
            return self._sandbox

    def cancel(self) -> None:
        """End the worker of the run that is going on; does not wait for it."""
        threading.Thread(target=self.close, name="end of a run", daemon=True).start()

    def close(self) -> None:
        """End all workers."""
        with self._lock:
            sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            sandbox.close()
