"""The wheel, installed outside the checkout, is the whole program: commands, questions, solutions, styles."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
PARTS = (
    "pyproject.toml",
    "setup.py",
    "MANIFEST.in",
    "README.md",
    "LICENSE",
    "interview_coach",
    "questions",
    "solutions",
)
IGNORED = shutil.ignore_patterns("__pycache__", "*.egg-info", "_data")


@dataclass(frozen=True)
class Installed:
    """A virtual environment that holds the wheel; what it depends on comes from the environment of the tests."""

    python: Path
    wheel: Path
    folder: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV"))}
        return subprocess.run(
            [str(self.python), *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            env=environment | {"INTERVIEW_COACH_HOME": str(self.folder / "home"), "LC_ALL": "C.UTF-8"},
        )

    def coach(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run(str(self.python.with_name("coach")), *arguments)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("package")
    source = folder / "source"
    source.mkdir()
    for part in PARTS:
        path = CHECKOUT / part
        if path.is_dir():
            shutil.copytree(path, source / part, ignore=IGNORED)
        else:
            shutil.copy(path, source)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    build = [
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--wheel-dir",
        str(folder),
        str(source),
    ]
    subprocess.run([*pip, *build], check=True, capture_output=True, text=True)
    (wheel,) = folder.glob("*.whl")

    environment = folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    python = environment / "bin" / "python"
    install = ["install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([*pip, "--python", str(python), *install], check=True, capture_output=True, text=True)
    purelib = Path(sysconfig.get_path("purelib", vars={"base": str(environment), "platbase": str(environment)}))
    (purelib / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    work = folder / "work"
    work.mkdir()
    return Installed(python, wheel, work)


def files_of(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    }


def test_the_wheel_holds_questions_solutions_styles_and_nothing_of_the_tests(installed: Installed) -> None:
    names = set(zipfile.ZipFile(installed.wheel).namelist())
    for data in ("questions", "solutions"):
        shipped = {name.removeprefix(f"interview_coach/_data/{data}/") for name in names if f"_data/{data}/" in name}
        assert shipped == files_of(CHECKOUT / data)
    package = {name.removeprefix("interview_coach/") for name in names if name.startswith("interview_coach/")}
    package = {name for name in package if not name.startswith("_data/")}
    assert package == {name for name in files_of(CHECKOUT / "interview_coach") if not name.startswith("_data/")}
    assert not {name for name in names if name.startswith(("tests/", "benchmarks/", "build/"))}


def test_it_is_the_installed_package_that_runs(installed: Installed) -> None:
    ran = installed.run("-c", "import interview_coach; print(interview_coach.__file__)")
    assert Path(ran.stdout.strip()).is_relative_to(installed.python.parent.parent)


def test_questions_of_the_installed_program(installed: Installed) -> None:
    ran = installed.coach("questions", "list")
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.splitlines()) == len(list((CHECKOUT / "questions").glob("*/*.yaml")))


def test_grade_with_the_installed_program(installed: Installed) -> None:
    started = installed.coach("start", "softmax")
    assert started.returncode == 0, started.stderr
    (installed.folder / "mine.py").write_text(
        "import numpy as np\n\n\ndef softmax(x, dim=-1):\n    e = np.exp(x)\n    return e / e.sum(dim, keepdims=True)\n"
    )
    ran = installed.coach("grade", "mine.py", "--format", "json")
    report = json.loads(ran.stdout)
    assert ran.returncode == 1, ran.stderr
    assert report["exercise"] == "softmax"
    assert (report["correct"], report["stable"]) == (True, False)
