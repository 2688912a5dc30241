"""Pictures of the app for the README: ``python -m interview_coach.tui.pictures docs/``.

They are taken by Textual from the real app with the real bank, over a store in memory of a user who has practised a
little; nothing of the person who takes them is read or written.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from interview_coach.settings import Settings
from interview_coach.store import Store
from interview_coach.tui.app import CoachApp
from interview_coach.tui.services import Services
from interview_coach.tui.widgets.answer_editor import AnswerEditor

_NOW = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)
_SIZE = (80, 24)
_ANSWER = (
    "the variance of q·k is √d_k, so the softmax saturates, most of its derivatives become tiny, and training is slower"
)
_HISTORY = ((6, "why-sqrt-dk", 3), (5, "masks-basics", 1), (4, "flash-attention", 3), (4, "softmax-axis", 3),
            (2, "fully-masked-row", 1), (1, "score-memory", 3), (0, "why-sqrt-dk", 3))  # fmt: skip


def _practise(store: Store, known: frozenset[str]) -> None:
    for days, question, rating in _HISTORY:
        if question in known:
            at = _NOW - timedelta(days=days, hours=1)
            points: list[str] = []
            store.append("answered", {"question": question, "text": "", "seconds": 24, "ticked": points}, at)
            store.append("rated", {"question": question, "rating": rating}, at)
    store.append(
        "graded",
        {"file": "my_attention.py", "verdict": "fail", "headline": "correct, not stable in fp16", "codes": []},
        _NOW - timedelta(hours=2),
    )


async def _take(folder: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="coach-") as home:
        os.environ["INTERVIEW_COACH_HOME"] = home
        with Store.open(Path(home) / "coach.db") as store:
            seconds = [0.0]
            services = Services(
                settings=Settings(language="en"), store=store, now=lambda: _NOW, clock=lambda: seconds[0]
            )
            _practise(store, frozenset(services.bank.questions))
            app = CoachApp(services)
            async with app.run_test(size=_SIZE) as pilot:
                await pilot.pause(0.3)
                _save(pilot, folder / "home.svg")
                app.open("drill", first="why-sqrt-dk")
                await pilot.pause()
                await pilot.press("space")
                app.screen.query_one(AnswerEditor).text = _ANSWER
                seconds[0] = 13.0
                await pilot.press("ctrl+j")
                await pilot.pause(0.5)
                _save(pilot, folder / "result.svg")


def _save(pilot: Pilot[Any], path: Path) -> None:
    path.write_text(pilot.app.export_screenshot(simplify=True), encoding="utf-8")


def main() -> None:
    """Write ``home.svg`` and ``result.svg`` into the folder named on the command line."""
    if len(sys.argv) != 2:
        sys.exit("one folder is needed: python -m interview_coach.tui.pictures docs/")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(_take(folder))


if __name__ == "__main__":
    main()
