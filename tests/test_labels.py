"""Flipped verdicts, exported."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from interview_coach.cli import commands as cli
from interview_coach.drill.labels import labels
from interview_coach.errors import CoachError
from interview_coach.store import Store

AT = datetime(2026, 3, 4, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERVIEW_COACH_HOME", str(tmp_path))
    monkeypatch.setenv("LANG", "en_US.UTF-8")


def flip(store: Store, event: str, point: str, before: str, after: str) -> None:
    store.append("flipped", {"question": "q", "event": event, "point": point, "from": before, "to": after}, AT)


def some(path: Path | None = None) -> None:
    with Store.open(path) as store:
        first = store.append("answered", {"question": "q", "text": "方差是 d_k"}, AT).uuid
        second = store.append("answered", {"question": "q", "text": "it is flat"}, AT).uuid
        flip(store, first, "variance", "missing", "hit")
        flip(store, first, "flat", "hit", "missing")
        flip(store, second, "flat", "contradicted", "hit")
        flip(store, first, "flat", "missing", "hit")  # back
        flip(store, "gone", "flat", "missing", "hit")  # its answer is not in the log


def test_a_label_is_where_user_and_marker_differ(tmp_path: Path) -> None:
    some(tmp_path / "coach.db")
    with Store.open(tmp_path / "coach.db") as store:
        assert [(label.answer, label.point, label.marked, label.right) for label in labels(store)] == [
            ("方差是 d_k", "variance", "missing", "hit"),
            ("it is flat", "flat", "contradicted", "hit"),
        ]


def test_export_writes_a_line_a_label(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    some()
    assert cli.dispatch(["labels", "export"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out.splitlines()[0]) == {
        "schema": 1,
        "question": "q",
        "point": "variance",
        "answer": "方差是 d_k",
        "from": "missing",
        "to": "hit",
        "at": "2026-03-04T12:00:00+00:00",
    }
    assert printed.err == "2 labels\n"
    assert cli.dispatch(["labels", "export", "--to", str(tmp_path / "out.jsonl")]) == 0
    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == printed.out


def test_nothing_flipped_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.dispatch(["--lang", "zh", "labels", "export"]) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "还没有改判过：coach drill，然后按 f。\n"


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(CoachError, match="The file cannot be written"):
        cli.dispatch(["labels", "export", "--to", str(tmp_path)])
