"""What holds for the whole run of a command: the language and the question folders."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from interview_coach.text import Language, Text

if TYPE_CHECKING:
    from interview_coach.bank import Bank


class Run:
    """The language and the question folders of this run."""

    def __init__(self) -> None:
        self.language: Language = "en"
        self.banks: tuple[str, ...] = ()

    def choose_language(self, named: str | None) -> None:
        """The language named on the command line, else that of the settings."""
        self.language = "zh" if named == "zh" else "en" if named == "en" else _preferred()


def _preferred() -> Language:
    """The language of the settings; without a file of settings, that of the system (settings cost 15 ms to load)."""
    from interview_coach.paths import config_dir
    from interview_coach.text import system_language

    if not (config_dir(create=False) / "config.toml").exists():
        return system_language()
    from interview_coach.settings import load_settings

    return load_settings().language


run = Run()


def say(en: str, zh: str) -> str:
    """The text in the language of the run."""
    return zh if run.language == "zh" else en


def tell(text: Text) -> str:
    """The text in the language of the run."""
    return text.get(run.language)


def note(line: str) -> None:
    """A remark beside the output: on stderr."""
    print(line, file=sys.stderr)


def width() -> int:
    """Columns to write in: the terminal's, 80 elsewhere, at most 120."""
    import shutil

    return max(40, min(120, shutil.get_terminal_size((80, 24)).columns))


def use_color() -> bool:
    """Colour goes to a terminal only, and not where ``NO_COLOR`` is set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def open_bank() -> Bank:
    """The built-in questions, those under the configuration folder, and those of ``--bank``.

    Raises:
        CoachError: a folder of ``--bank`` does not exist.
    """
    from interview_coach.bank import load_bank
    from interview_coach.errors import CoachError

    folders = [Path(folder).expanduser() for folder in run.banks]
    for folder in folders:
        if not folder.is_dir():
            raise CoachError(
                Text("There is no such folder.", "没有这个文件夹。"),
                folder,
                Text("a folder of question files (*.yaml)", "存放题目文件（*.yaml）的文件夹"),
            )
    return load_bank(folders)
