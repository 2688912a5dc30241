"""The grading example of both READMEs is what ``coach grade`` really says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interview_coach.grading.engine import grade
from interview_coach.grading.render import Style, to_text
from interview_coach.grading.sandbox import Sandbox
from interview_coach.text import Language

ROOT = Path(__file__).resolve().parent.parent


def block(readme: str, language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found.group(1)


@pytest.mark.parametrize(("name", "language"), [("README.md", "en"), ("README.zh.md", "zh")])
def test_the_example_is_real(
    name: str, language: Language, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readme = (ROOT / name).read_text("utf-8")
    shown, source = block(readme, "text"), block(readme, "python")
    monkeypatch.chdir(tmp_path)
    Path("my_attention.py").write_text(source, "utf-8")
    seed = re.search(r"(?:seed|种子) (\d+)", shown)
    assert seed is not None
    report = grade("my_attention.py", sandbox=sandbox, seed=int(seed[1]))
    assert report.exit_code == 1
    assert timeless(to_text(report, Style(language=language, width=88), source)) == timeless(shown)


def timeless(text: str) -> str:
    """Without what differs between machines: figures with a point, and the line breaks that depend on them."""
    return " ".join(re.sub(r"-?\d+\.\d+(?:e-\d+)?|\b\de-0\d", "…", text).split())
