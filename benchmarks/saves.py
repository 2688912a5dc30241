"""Watch mode as its user meets it: the real command, a file that is saved, the wait for the verdict."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from pathlib import Path

from benchmarks.timing import Failed, coach

SAVES, PAUSE_S = 15, 0.3
"""So many saves, each after a pause in which the next process gets ready."""


def save_to_verdict(path: Path, home: Path) -> float:
    """Median time from the end of a save until the verdict is printed, in seconds.

    Raises:
        Failed: the watch ended before its time.
    """
    watch = subprocess.Popen(
        coach("grade", str(path), "--watch", "--quiet"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "INTERVIEW_COACH_HOME": str(home)},
    )
    text = path.read_text(encoding="utf-8")
    new, times = path.with_suffix(".new"), []
    try:
        _verdict(watch)
        for number in range(SAVES + 1):
            time.sleep(PAUSE_S)
            new.write_text(f"{text}\n# save {number}\n", encoding="utf-8")
            new.replace(path)  # as editors do: the file is never half-written
            start = time.perf_counter()
            _verdict(watch)
            times.append(time.perf_counter() - start)
    finally:
        path.write_text(text, encoding="utf-8")
        watch.terminate()
        watch.wait()
    return statistics.median(times[1:])


def _verdict(watch: subprocess.Popen[str]) -> None:
    """Waits for the line of a report: it begins with its mark."""
    assert watch.stdout is not None
    while not (line := watch.stdout.readline()).startswith(("✓", "✗", "?")):
        if not line:
            raise Failed(f"the watch ended with {watch.wait()}")
