"""Timing two programs in turn, so that a busy machine slows both."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Pair:
    """Medians of two programs timed alternately, in seconds, and the median of their ratios."""

    measured: float
    against: float
    ratio: float


class Failed(Exception):
    """A program under the clock did not end as it should; the message is its last line."""


def output(arguments: Sequence[str], home: Path) -> str:
    """The last line that a program prints.

    Raises:
        Failed: it did not exit with 0.
    """
    environment = {**os.environ, "INTERVIEW_COACH_HOME": str(home)}
    ran = subprocess.run(arguments, capture_output=True, text=True, env=environment, check=False)
    if ran.returncode != 0:
        lines = (ran.stderr or ran.stdout).strip().splitlines()
        raise Failed(lines[-1] if lines else f"exit {ran.returncode}")
    return (ran.stdout.strip().splitlines() or [""])[-1]


def seconds(arguments: Sequence[str], home: Path) -> float:
    """Wall-clock time of one run, from before it starts until it has ended. Raises `Failed` as `output` does."""
    start = time.perf_counter()
    output(arguments, home)
    return time.perf_counter() - start


def alternate(measured: Sequence[str], against: Sequence[str], home: Path, rounds: int) -> Pair:
    """Times two programs in turn, after one run of each to warm the disk."""
    seconds(measured, home), seconds(against, home)
    times = [(seconds(measured, home), seconds(against, home)) for _ in range(rounds)]
    return Pair(
        statistics.median(first for first, _ in times),
        statistics.median(second for _, second in times),
        statistics.median(first / second for first, second in times),
    )


def python(code: str, *arguments: str) -> list[str]:
    """The command line that runs a piece of Python."""
    return [sys.executable, "-c", code, *arguments]


def coach(*arguments: str) -> list[str]:
    """The command line of ``coach``: the installed script, as a user starts it."""
    script = Path(sys.executable).with_name("coach")
    start = [str(script)] if script.exists() else [sys.executable, "-m", "interview_coach"]
    return [*start, *arguments]
