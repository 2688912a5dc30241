"""Pictures of the app.

After a change that was meant: ``pytest tests/test_tui_snapshots.py --snapshot-update``, and look at what changed.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from interview_coach.store import Store
from interview_coach.text import Language
from interview_coach.tui.widgets.answer_editor import AnswerEditor
from tests.tui_support import NOW, make_app, text_of, until

SMALL, LARGE = (80, 24), (120, 40)
SHOWN = {
    "home": ((), "Weakest", "薄弱环节"),
    "drill": (("d", "space", "it returns NaN"), "it returns NaN", "it returns NaN"),
    "result": (("d", "space", "the variance is root d_k so softmax saturates", "ctrl+j"), "Model answer", "参考答案"),
    "review": (("r", "space"), "Model answer", "参考答案"),
    "grade": (("g", "enter"), "seed 918273", "种子 918273"),
    "browse": (("b",), "3 questions", "3 题"),
    "hunt": (("h",), "01:30 / 01:30", "01:30 / 01:30"),
    "hunted": (("h", "s"), "not found", "没有找到"),
}
CASES: list[tuple[str, tuple[int, int], Language]] = [
    *((name, size, "en") for name in SHOWN for size in (SMALL, LARGE)),
    *((name, SMALL, "zh") for name in ("home", "result", "grade", "hunt", "hunted")),
    ("browse", LARGE, "zh"),
]
# The normal suite takes the pictures of a small terminal, and those of a large one where the screen is divided.
SAMPLED = [
    pytest.param(*case, marks=[pytest.mark.slow] if case[1] == LARGE and case[0] != "browse" else []) for case in CASES
]
IDS = [f"{name}-{width}x{height}-{language}" for name, (width, height), language in CASES]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "coach.db") as opened:
        opened.append("rated", {"question": "masked-row", "rating": 1}, NOW)
        opened.append(
            "graded", {"file": "/code/mine.py", "verdict": "fail", "headline": "correct, not stable in fp16"}, NOW
        )
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    here = tmp_path / "code"
    here.mkdir()
    for name, age in (("my_attention.py", 60), ("gqa.py", 7200)):
        file = here / name
        file.touch()
        os.utime(file, (NOW.timestamp() - age,) * 2)
    return here


def pressing(keys: tuple[str, ...], shown: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    """Press the keys, or put in what is longer than a key, then wait until the text stands on the screen."""

    async def run(pilot: Pilot[Any]) -> None:
        for key in keys:
            if " " in key:
                pilot.app.screen.query_one(AnswerEditor).insert(key)
            else:
                await pilot.press(key)
        await until(pilot, lambda: shown in text_of(pilot.app))  # type: ignore[arg-type]
        await pilot.pause()

    return run


@pytest.mark.parametrize(("name", "size", "language"), SAMPLED, ids=IDS)
def test_picture(
    snap_compare: Any, store: Store, folder: Path, name: str, size: tuple[int, int], language: Language
) -> None:
    keys, english, chinese = SHOWN[name]
    app = make_app(store, folder=folder, language=language)
    shown = chinese if language == "zh" else english
    assert snap_compare(app, terminal_size=size, run_before=pressing(keys, shown))
