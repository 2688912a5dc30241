"""Handing the terminal to the user's editor, and taking it back."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

if TYPE_CHECKING:
    from interview_coach.tui.app import CoachApp

_FALLBACKS = ("nano", "vim", "vi", "notepad")


def editor_command() -> list[str] | None:
    """``$VISUAL``, else ``$EDITOR``, else a common editor that is installed; None where there is none."""
    for variable in ("VISUAL", "EDITOR"):
        words = shlex.split(os.environ.get(variable, ""))
        if words and shutil.which(words[0]):
            return words
    found = next(filter(shutil.which, _FALLBACKS), None)
    return [found] if found else None


def edit_file(app: CoachApp, path: Path) -> bool:
    """Open a file in the editor and wait. False, and a note on the screen, where that is not possible."""
    command = editor_command()
    if command is None:
        app.message("app.no-editor")
        return False
    try:
        with app.suspend():
            subprocess.run([*command, str(path)], check=False)
    except SuspendNotSupported:
        app.message("app.no-suspend")
        return False
    except OSError as error:
        app.complain("app.cannot-load", error)
        return False
    return True


def edit_text(app: CoachApp, text: str) -> str | None:
    """Let the user edit a text in the editor; None where that is not possible."""
    with tempfile.TemporaryDirectory(prefix="coach-") as folder:
        path = Path(folder) / "answer.md"
        path.write_text(text, encoding="utf-8")
        if not edit_file(app, path):
            return None
        return path.read_text(encoding="utf-8", errors="replace").removesuffix("\n")
