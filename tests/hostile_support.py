"""The corpus of hostile submissions: what is in it, and what a grading of one must leave behind."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from interview_coach.grading import engine, mask_inference, unexplained
from interview_coach.grading.report import Report
from interview_coach.grading.sandbox import Sandbox
from interview_coach.grading.start import MARKER

FOLDER = Path(__file__).parent / "corpus" / "hostile"
SECONDS = 10.0
"""For any that the manifest gives no time of its own: calls are limited to far less, and a busy machine is slow."""


@dataclass(frozen=True)
class Hostile:
    """A submission and how grading it may end."""

    path: Path
    exercise: str
    verdicts: frozenset[str]
    kinds: frozenset[str]
    codes: frozenset[str]
    seconds: float
    slow: bool

    def judge(self, report: Report, *, named: bool = True) -> None:
        """Check a report of it; ``named`` says whether bugs were looked for."""
        seen = (report.error, [(c.id, c.detail) for c in report.checks if c.status == "fail"])
        assert report.verdict in self.verdicts, seen
        if report.error is not None:
            assert not self.kinds or report.error.kind in self.kinds, seen
            assert "Traceback" not in report.error.message
        elif named and self.codes:
            assert self.codes & {d.code for d in report.diagnosis}, seen


def hostile(*prefixes: str, slow: bool = False) -> list[Hostile]:
    """Entries whose file's name starts with one of ``prefixes``: the quick ones, or the slow ones."""
    items = yaml.load((FOLDER / "manifest.yaml").read_text("utf-8"), yaml.CSafeLoader)
    found = [
        Hostile(
            FOLDER / item["file"],
            item["exercise"],
            frozenset(item["verdict"].split("|")),
            frozenset(item.get("kinds", ())),
            frozenset(item.get("codes", ())),
            float(item.get("seconds", SECONDS)),
            bool(item.get("slow", False)),
        )
        for item in items
    ]
    return [entry for entry in found if entry.path.name.startswith(prefixes) and entry.slow is slow]


def spare_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what looks for the bug behind a wrong output, also while a contract is worked out: it takes long."""
    spare_the_diagnosis(monkeypatch)
    monkeypatch.setattr(unexplained, "explain", lambda *_, **__: [])
    monkeypatch.setattr(mask_inference, "explain", lambda *_, **__: [])


def spare_the_diagnosis(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what names the bug: no verdict rests on it."""
    monkeypatch.setattr(engine, "diagnose_attention", lambda exam: ((), ()))


def left_over(sandbox: Sandbox) -> list[str]:
    """Command lines of processes of the sandbox beyond its own two."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                if f"{MARKER}={sandbox.marker}".encode() in (process / "environ").read_bytes():
                    state = (process / "stat").read_text().rpartition(")")[2].split()[0]
                    found += [process.name] if state != "Z" else []
            except OSError:
                continue
    return found if len(found) > 2 else []
