"""``coach answer``."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import pytest

from interview_coach.cli import commands as cli
from interview_coach.errors import CoachError

WRONG = "The variance of q·k is the square root of d_k, and large logits make the softmax saturate."


@pytest.fixture(autouse=True)
def home(tmp_path: Path, compiled_bank: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(compiled_bank, tmp_path / "cache")
    monkeypatch.setenv("INTERVIEW_COACH_HOME", str(tmp_path))
    monkeypatch.setenv("LANG", "en_US.UTF-8")


def run(*arguments: str) -> int:
    return cli.dispatch(["answer", *arguments])


def test_wrong_statements_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("why-sqrt-dk", "--text", WRONG) == 0
    lines = capsys.readouterr().out.splitlines()
    marks = [line for line in lines if line.startswith(("✗", "✓", "●", "· "))]
    assert marks[0].startswith('✗ "variance of q·k is the square root"  The variance is d_k.')
    assert any(line.startswith("rating: again (wrong on a core point: variance-is-dk)") for line in lines)
    assert lines[-1] == "next: coach questions show why-sqrt-dk"


def test_json_from_a_file_and_from_stdin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.txt"
    file.write_text(WRONG, encoding="utf-8")
    assert run("why-sqrt-dk", "--file", str(file), "--format", "json") == 0
    from_file = json.loads(capsys.readouterr().out)
    stdin = io.TextIOWrapper(io.BytesIO(WRONG.encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    assert run("why-sqrt-dk", "-", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out) == from_file
    verdicts = {point["id"]: (point["verdict"], point["misconception"]) for point in from_file["points"]}
    assert verdicts["variance-is-dk"] == ("contradicted", "variance-is-sqrt")
    assert verdicts["softmax-peaked"] == ("hit", None)
    for point in from_file["points"]:
        if point["span"]:
            assert WRONG[slice(*point["span"])] == point["quote"]


def test_in_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("why-sqrt-dk", "--text", "方差是根号 d_k", "--lang", "zh", "--seconds", "10") == 0
    out = capsys.readouterr().out
    assert '✗ "方差是根号"  方差是 d_k' in out
    assert "评分：重来（核心要点说错了：variance-is-dk）" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["why-sqrt-dk"], "The answer is missing."),
        (["why-sqrt-dk", "-", "--text", "x"], "The answer is given twice."),
        (["why-sqrt-dk", "a.txt"], "next: coach answer why-sqrt-dk --file a.txt"),
        (["why-sqrt-dk", "--file", "/nowhere/a.txt"], "The file cannot be read"),
        (["why-sqrt-kd", "--text", "x"], "right would be: why-sqrt-dk"),
    ],
)
def test_errors_say_what_would_be_right(arguments: list[str], message: str) -> None:
    with pytest.raises(CoachError) as caught:
        run(*arguments)
    assert message in str(caught.value)
