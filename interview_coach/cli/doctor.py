"""``coach doctor``: what a bug report needs."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Annotated

import typer

from interview_coach import __version__
from interview_coach.cli.context import open_bank, say
from interview_coach.cli.parser import new_app, teach
from interview_coach.errors import CoachError

app = new_app()

_PACKAGES = ("textual", "typer", "numpy", "torch", "triton", "fsrs", "pyyaml", "pydantic")
_ASK_TORCH = (
    "import torch; n = torch.cuda.device_count() if torch.cuda.is_available() else 0; "
    "print(', '.join(torch.cuda.get_device_name(i) for i in range(n)) or 'none')"
)


@app.command(
    **teach(
        say("Versions, folders and problems, to paste into a bug report.", "版本、文件夹与问题，可直接贴进问题报告。"),
        ("coach doctor", say("look, change nothing", "只查看，不改动")),
        ("coach doctor --rebuild", say("make the card states again from the log of events", "由事件日志重建卡片状态")),
    )
)
def doctor(
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help=say("Make the card states again.", "重建卡片状态。"))
    ] = False,
) -> None:
    for name, value in _facts():
        print(f"{name:<14}{value}")
    if rebuild:
        from interview_coach.review import rebuild as rebuild_cards
        from interview_coach.store import Store

        with Store.open() as store:
            count = rebuild_cards(store)
        print(f"{'rebuilt':<14}{count} events")


def _facts() -> Iterator[tuple[str, str]]:
    yield "coach", __version__
    yield "python", f"{platform.python_version()} {platform.python_implementation()}"
    yield "system", f"{platform.system()} {platform.release()} {platform.machine()}, {os.cpu_count()} cores"
    for package in _PACKAGES:
        yield package, _version(package)
    yield "gpu", _attempt(_gpu)
    yield "isolation", shutil.which("bwrap") or "bubblewrap is missing: --isolate has no effect"
    yield "terminal", f"TERM={os.environ.get('TERM', '')} {shutil.get_terminal_size().columns} columns"
    for kind in ("data", "config", "cache"):
        yield kind, _attempt(partial(_folder, kind))
    yield "events", _attempt(_events)
    yield "bank", _attempt(_bank)


def _attempt(ask: Callable[[], str]) -> str:
    """A fact, or why it is not known: one broken part must not hide the others."""
    try:
        return ask()
    except CoachError as error:
        return str(error).replace("\n", ";")
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "missing"


def _gpu() -> str:
    """Asked in a process of its own: torch is slow to load, and may be broken."""
    if _version("torch") == "missing":
        return "torch is missing"
    try:
        done = subprocess.run(
            [sys.executable, "-c", _ASK_TORCH], capture_output=True, text=True, timeout=60, check=False
        )
    except subprocess.TimeoutExpired:
        return "torch does not load within 60 s"
    lines = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
    return lines[-1] if lines else f"torch does not load (exit {done.returncode})"


def _folder(kind: str) -> str:
    from interview_coach import paths

    folder: Path = getattr(paths, f"{kind}_dir")(create=False)
    return f"{folder}{'' if folder.is_dir() else ' (not made yet)'}"


def _events() -> str:
    from interview_coach.paths import data_dir
    from interview_coach.store import Store

    if not (data_dir(create=False) / "coach.db").exists():
        return "none yet"
    with Store.open() as store:
        return "; ".join([f"{sum(1 for _ in store.events())} events", *store.problems()])


def _bank() -> str:
    bank = open_bank()
    lines = [f"{len(bank.questions)} questions, {len(bank.problems)} problems", *map(str, bank.problems)]
    return "\n              ".join(lines)
