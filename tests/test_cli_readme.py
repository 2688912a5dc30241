"""The grading example of both READMEs is what ``coach grade`` really says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def block(readme: str, language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found.group(1)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "language"), [("README.md", "en"), ("README.zh.md", "zh")])
def test_the_example_is_real(tmp_path: Path, name: str, language: str) -> None:
    readme = (ROOT / name).read_text("utf-8")
    shown = block(readme, "text")
    (tmp_path / "my_attention.py").write_text(block(readme, "python"), "utf-8")
    seed = re.search(r"(?:seed|种子) (\d+)", shown)
    assert seed is not None
    ran = subprocess.run(
        [sys.executable, "-m", "interview_coach", "grade", "my_attention.py", "--seed", seed[1], "--lang", language],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "INTERVIEW_COACH_HOME": str(tmp_path / "home"), "COLUMNS": "88"},
    )
    assert ran.returncode == 1, ran.stderr
    assert timeless(ran.stdout) == timeless(shown)


def timeless(text: str) -> str:
    """Without what differs between machines: figures with a point, and the line breaks that depend on them."""
    return " ".join(re.sub(r"-?\d+\.\d+(?:e-\d+)?|\b\de-0\d", "…", text).split())
