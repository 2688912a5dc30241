"""What is imported when: each check looks at ``sys.modules`` of a process of its own."""

from __future__ import annotations

import os
import pkgutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import interview_coach
from interview_coach.grading.protocol import Call, Source
from interview_coach.grading.sandbox import Sandbox

ROOT = Path(interview_coach.__file__).parent
LOWER = ("records", "text", "errors", "paths", "settings", "resources", "oracles")
LOWER += ("bank", "exercises", "marking", "store", "drill", "review", "labs", "grading")
HEAVY = {"textual", "typer", "torch", "triton", "rich", "pydantic", "plotext"}

REPORT = "import sys; sys.stderr.write('\\nMODULES ' + ' '.join(sorted(sys.modules)))"

NUMPY_SUBMISSION = """
import numpy as np

def attention(q, k, v, mask=None):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    peak = scores.max(-1, keepdims=True)
    weights = np.exp(scores - np.where(np.isfinite(peak), peak, 0))
    total = weights.sum(-1, keepdims=True)
    return (weights / np.where(total == 0, 1, total)) @ v
"""


def modules_after(code: str, home: Path, folder: Path | None = None) -> set[str]:
    """Top-level names and dotted names of what a program imported."""
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}\n{REPORT}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "INTERVIEW_COACH_HOME": str(home), "TERM": "xterm-256color"},
    )
    assert "MODULES" in ran.stderr, ran.stderr
    return set(ran.stderr.rpartition("MODULES ")[2].split())


def command(*arguments: str) -> str:
    return f"import sys; sys.argv = {['coach', *arguments]!r}\nfrom interview_coach.cli.main import main\nmain()"


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    loaded = modules_after(command("--help"), tmp_path)
    assert "interview_coach.cli.main" in loaded
    assert not loaded & (HEAVY | {"yaml", "fsrs", "numpy", "sqlite3", "asyncio"})


def test_a_command_with_parameters_imports_typer_and_little_else(tmp_path: Path) -> None:
    loaded = modules_after(command("hint", "sdpa", "2"), tmp_path)
    assert "typer" in loaded
    assert not loaded & ((HEAVY - {"typer"}) | {"yaml", "fsrs", "numpy", "sqlite3", "asyncio"})


def test_lower_packages_import_no_interface_and_no_torch(tmp_path: Path) -> None:
    loaded = modules_after("\n".join(f"import interview_coach.{name}" for name in LOWER), tmp_path)
    assert {f"interview_coach.{name}" for name in LOWER} <= loaded
    assert not loaded & HEAVY
    assert not {module for module in loaded if module.startswith(("interview_coach.tui", "interview_coach.cli"))}


def test_every_module_of_the_lower_packages_imports_no_interface_and_no_torch(tmp_path: Path) -> None:
    names = [
        module.name
        for package in LOWER
        if (ROOT / package).is_dir()
        for module in pkgutil.walk_packages([str(ROOT / package)], f"interview_coach.{package}.")
        if not module.name.startswith("interview_coach.grading.worker")
    ]
    assert len(names) > 20
    loaded = modules_after("\n".join(f"import {name}" for name in names), tmp_path)
    assert not loaded & {"textual", "typer", "torch", "triton"}


def test_opening_the_app_imports_no_torch_and_no_typer(tmp_path: Path) -> None:
    code = (
        "import asyncio\n"
        "from interview_coach.tui.app import CoachApp\n"
        "async def open_it():\n"
        "    async with CoachApp().run_test() as pilot:\n"
        "        await pilot.pause()\n"
        "asyncio.run(open_it())"
    )
    first, again = (modules_after(code, tmp_path) for _ in range(2))
    assert "textual" in first
    assert not first & {"torch", "triton", "typer", "plotext"}
    assert not again & {"yaml", "pydantic"}, "the bank is compiled once, then read"


# What a grade of a numpy file has no use for: engines of other exercises, forms that were not asked for, and what the
# standard library imports for them.
UNUSED = {
    *("bank", "hunt", "judge", "labs", "marking", "drill", "review", "tui", "settings"),
    *("grading.functions", "grading.softmax_exam", "grading.softmax_lanes", "grading.cached.infer", "grading.formats"),
    *("grading.kernel_faults", "grading.family.cached", "grading.chinese.details", "grading.watch", "grading.live"),
}
NOT_IN_THE_COMMAND = HEAVY - {"typer"} | {"yaml", "fsrs", "asyncio", "html", "logging", "email", "xml", "watchfiles"}
NOT_IN_THE_WORKER = HEAVY | {"pathlib", "tempfile", "importlib.abc", "subprocess", "numpy.random", "logging"}

PATTERNS = (
    "import re\n"
    "compiled = [f'{m}.{n}' for m, module in sys.modules.items() if m.startswith('interview_coach')\n"
    "            for n, value in vars(module).items() if isinstance(value, re.Pattern)]\n"
    "assert not compiled, compiled\n"
)


def test_a_cold_grade_of_a_numpy_file_imports_and_compiles_what_it_uses(tmp_path: Path) -> None:
    paths = [ROOT / name.replace(".", "/") for name in UNUSED]
    assert all(path.is_dir() or path.with_suffix(".py").is_file() for path in paths), "each is a module of today"
    (tmp_path / "mine.py").write_text(NUMPY_SUBMISSION)
    loaded = modules_after(f"{command('grade', 'mine.py')}\n{PATTERNS}", tmp_path / "home", tmp_path)
    assert {"typer", "numpy"} <= loaded
    assert not loaded & (NOT_IN_THE_COMMAND | {f"interview_coach.{name}" for name in UNUSED})


def test_the_worker_of_a_numpy_file_imports_little_beside_numpy() -> None:
    text = "import numpy\n\ndef f():\n    import sys\n    return sorted(sys.modules)\n"
    with Sandbox() as sandbox, sandbox.open(Source(text, "mine.py")) as guest:
        loaded = set(guest.call(Call("f", framework="numpy")).value)
    assert "numpy" in loaded
    assert not loaded & NOT_IN_THE_WORKER


def test_immutable_classes_are_records() -> None:
    """A frozen dataclass takes ten times as long to define; only what is ordered, or keeps a cache, is one."""
    frozen = "@dataclass(frozen=True, slots=True)\n"
    assert [str(path) for path in ROOT.rglob("*.py") if frozen in path.read_text(encoding="utf-8")] == []


def test_the_parent_of_a_torch_file_never_imports_torch(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import torch\n\ndef attention(q, k, v, mask=None):\n    return v\n")
    code = "from interview_coach import grade\nassert grade('mine.py').verdict == 'fail'\n"
    assert "torch" not in modules_after(code, tmp_path / "home", tmp_path)


def test_help_is_quick(tmp_path: Path) -> None:
    """120 ms is the budget on a quiet machine; here a bare interpreter, timed in turn, tells how busy it is."""
    environment = {**os.environ, "INTERVIEW_COACH_HOME": str(tmp_path)}

    def seconds(*arguments: str) -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], capture_output=True, check=True, env=environment)
        return time.perf_counter() - start

    seconds("-m", "interview_coach", "--help")
    pairs = [(seconds("-c", "pass"), seconds("-m", "interview_coach", "--help")) for _ in range(7)]
    assert statistics.median(help_s / bare for bare, help_s in pairs) < 6.0
