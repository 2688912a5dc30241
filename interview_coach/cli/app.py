"""Opening the app."""

from __future__ import annotations

import sys
from pathlib import Path

from interview_coach.cli.context import run
from interview_coach.errors import CoachError
from interview_coach.text import Text


def open_app(screen: str = "home", *, topic: str | None = None) -> int:
    """Opens the app on a screen, and returns its exit code when it is left.

    Raises:
        CoachError: there is no terminal to draw in.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CoachError(
            Text("The app needs a terminal; this is a pipe or a file.", "应用需要在终端中运行；现在是管道或文件。"),
            right=Text("a command that prints, such as coach grade", "会直接输出的命令，例如 coach grade"),
            next_command="coach --help",
        )
    from interview_coach.tui.app import CoachApp
    from interview_coach.tui.services import Services

    services = Services(bank_folders=tuple(Path(folder).expanduser() for folder in run.banks))
    app = CoachApp(services, screen=screen, language=run.language, topic=topic)
    try:
        result = app.run()
    finally:
        services.close()
    return app.return_code or (result if isinstance(result, int) else 0)
