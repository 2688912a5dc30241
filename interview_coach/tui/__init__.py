"""The app in the terminal. Textual is imported when :func:`run` is called, not before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from interview_coach.text import Language

if TYPE_CHECKING:
    from interview_coach.tui.app import CoachApp as CoachApp


def run(
    screen: str = "home",
    *,
    language: Language | None = None,
    bank_folders: Sequence[Path] = (),
    topic: str | None = None,
    path: Path | None = None,
) -> int:
    """Open the app and wait until it is left.

    Args:
        screen: ``home``, ``drill``, ``review``, ``grade`` or ``browse``.
        language: For this run; the setting stays as it is.
        bank_folders: Further folders of questions.
        topic: Drill or browse this topic only.
        path: File to grade at once.

    Returns:
        The exit code.
    """
    from interview_coach.tui.app import CoachApp
    from interview_coach.tui.services import Services

    app = CoachApp(Services(bank_folders=bank_folders), screen=screen, language=language, topic=topic, path=path)
    try:
        return app.run() or app.return_code or 0
    finally:
        app.services.close()


def __getattr__(name: str) -> object:
    if name == "CoachApp":
        from interview_coach.tui.app import CoachApp

        return CoachApp
    raise AttributeError(name)
