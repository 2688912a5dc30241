"""What the screens work with, each opened when it is first asked for, or injected by a test."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interview_coach.settings import Settings, load_settings, save_settings

if TYPE_CHECKING:
    from interview_coach.bank import Bank
    from interview_coach.bank.collection import Head
    from interview_coach.errors import CoachError
    from interview_coach.grading.report import Report
    from interview_coach.review import Reviewer, Stats
    from interview_coach.store import Store

Grade = Callable[[Path], "Report"]


class Services:
    """Bank, store, reviewer, settings, clocks and the grader.

    Args:
        settings: In force now; read from the config file where none are given.
        save: What keeps changed settings; with injected settings the default is to keep them in memory only.
        now: The time of day, with a time zone: for events and due dates.
        clock: Seconds that only go forward: for the drill.
        grade: Grades a file, blocking; called in a thread.
        folder: Where files to grade are looked for; the working directory by default.
        draw: Decides which program is hunted in next.
    """

    def __init__(
        self,
        *,
        settings: Settings | None = None,
        save: Callable[[Settings], None] | None = None,
        store: Store | None = None,
        bank: Bank | None = None,
        bank_folders: Sequence[Path] = (),
        reviewer: Reviewer | None = None,
        now: Callable[[], datetime] | None = None,
        clock: Callable[[], float] = time.monotonic,
        grade: Grade | None = None,
        folder: Path | None = None,
        draw: Callable[[], int] = lambda: secrets.randbelow(10**6),
    ) -> None:
        self.problems: list[CoachError] = []
        self._save = save or (save_settings if settings is None else lambda _: None)
        self.settings = settings or load_settings(self.problems.append)
        self.now = now or (lambda: datetime.now(UTC))
        self.clock = clock
        self.folder = folder or Path.cwd()
        self.draw = draw
        self._grade = grade
        self._store, self._bank, self._reviewer = store, bank, reviewer
        self._bank_folders = tuple(bank_folders)
        self._owns_store = store is None

    @property
    def store(self) -> Store:
        """The event log."""
        if self._store is None:
            from interview_coach.store import Store

            self._store = Store.open()
        return self._store

    @property
    def bank(self) -> Bank:
        """All questions."""
        if self._bank is None:
            from interview_coach.bank import load_bank

            self._bank = load_bank(self._bank_folders or None)
        return self._bank

    @property
    def reviewer(self) -> Reviewer:
        """What to repeat when."""
        if self._reviewer is None:
            from interview_coach.review import Reviewer

            self._reviewer = Reviewer(
                self.store, tuple(self.bank.questions), clock=self.now, new_per_day=self.settings.new_per_day
            )
        return self._reviewer

    @property
    def ratings(self) -> tuple[int, ...]:
        """The FSRS ratings on offer, in the order of their keys."""
        return (1, 2, 3, 4) if self.settings.four_ratings else (1, 3)

    def grade(self, path: Path) -> Report:
        """Grade a file; blocks."""
        if self._grade is None:
            from interview_coach.tui.grader import Grader

            self._grade = Grader()
        return self._grade(path)

    def cancel_grade(self) -> None:
        """End the worker of the run that is going on."""
        cancel = getattr(self._grade, "cancel", None)
        if cancel is not None:
            cancel()

    def stats(self) -> Stats:
        """What came of the last days."""
        from interview_coach.review import stats

        return stats(self.store, self.bank, self.now())

    def record(self, kind: str, **data: Any) -> None:
        """Write an event now."""
        self.store.append(kind, data, self.now())

    def change(self, **changes: Any) -> None:
        """Change settings and keep them."""
        self.settings = replace(self.settings, **changes)
        self._save(self.settings)

    def session(self, *, topic: str | None = None) -> list[Head]:
        """The questions of a drill, in order: one whose draft waits, the day's own unless it was answered, the rest."""
        from interview_coach.drill import build_queue
        from interview_coach.review import last_practised

        queue = self.reviewer.queue()
        heads = build_queue(
            self.bank.heads.values(),
            due=queue.learning + queue.reviews,
            weak_topics=[name for name, _ in self.stats().weakest],
            last_practised=last_practised(self.store),
            topic=topic,
        )
        drafts = self.store.drafts()
        of_the_day = None if topic or self.answered_today() else self.question_of_the_day()
        return sorted(heads, key=lambda head: (not drafts.get(head.id), head.id != of_the_day))

    def question_of_the_day(self) -> str | None:
        """Its id, the same all day; None where the bank is empty."""
        from interview_coach.review.days import day_of

        return self.bank.of_the_day(day_of(self.now())).id if len(self.bank) else None

    def answered_today(self) -> bool:
        """Whether the question of the day has been answered on its day."""
        from interview_coach.review.days import day_of, start_of

        question = self.question_of_the_day()
        since = start_of(day_of(self.now()))
        return any(event.data.get("question") == question for event in self.store.events("answered", since))

    def close(self) -> None:
        """Close what was opened here, and end the grader's workers."""
        close = getattr(self._grade, "close", None)
        if close is not None:
            close()
        if self._owns_store and self._store is not None:
            self._store.close()
            self._store = None
