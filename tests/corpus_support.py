"""The corpora of submissions that the grader must judge: where they are, and what must come out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

CORPUS = Path(__file__).parent / "corpus"


@dataclass(frozen=True)
class Entry:
    """A submission, its exercise and its verdict; ``codes`` are right names of its bug (empty: none needed)."""

    path: Path
    exercise: str
    verdict: str
    codes: frozenset[str]
    correct: bool | None
    stable: bool | None

    @property
    def id(self) -> str:
        """A short name for test ids."""
        return self.path.name


def entries(kind: str) -> list[Entry]:
    """The entries of ``right`` or ``wrong``."""
    folder = CORPUS / kind
    return [
        Entry(
            folder / item["file"],
            item["exercise"],
            item["verdict"],
            frozenset(item.get("codes") or ()),
            item.get("correct"),
            item.get("stable"),
        )
        for item in _items(folder)
    ]


def _items(folder: Path) -> Iterator[dict[str, Any]]:
    yield from yaml.load((folder / "manifest.yaml").read_text("utf-8"), yaml.CSafeLoader)
