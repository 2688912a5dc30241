"""Where a user's data, configuration and cache lie.

``INTERVIEW_COACH_HOME``, when set, is the one folder that holds all three; else the platform's own places are used.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from interview_coach.errors import CoachError
from interview_coach.text import Text

HOME_VARIABLE = "INTERVIEW_COACH_HOME"
_APP = "interview-coach"
_Kind = Literal["data", "config", "cache"]


def data_dir(*, create: bool = True) -> Path:
    """The folder of what the user did: the event log and its backups.

    Args:
        create: make the folder, and check that it can be written to.

    Raises:
        CoachError: the folder cannot be made or written to.
    """
    return _folder("data", create)


def config_dir(*, create: bool = True) -> Path:
    """The folder of ``config.toml`` and of the user's own questions. Arguments and errors as in `data_dir`."""
    return _folder("config", create)


def cache_dir(*, create: bool = True) -> Path:
    """The folder of what can be deleted at any time. Arguments and errors as in `data_dir`."""
    return _folder("cache", create)


def _folder(kind: _Kind, create: bool) -> Path:
    home = os.environ.get(HOME_VARIABLE)
    path = Path(home).expanduser().absolute() / kind if home else _platform_folder(kind)
    if create:
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unusable(path, error.strerror or str(error)) from error
        if not os.access(path, os.W_OK | os.X_OK):
            raise _unusable(path, "not writable")
    return path


def _platform_folder(kind: _Kind) -> Path:
    import platformdirs

    if kind == "data":
        return platformdirs.user_data_path(_APP, appauthor=False)
    if kind == "config":
        return platformdirs.user_config_path(_APP, appauthor=False)
    return platformdirs.user_cache_path(_APP, appauthor=False)


def _unusable(path: Path, reason: str) -> CoachError:
    return CoachError(
        Text(f"The folder cannot be used: {reason}.", f"无法使用该文件夹：{reason}。"),
        path,
        Text("a folder that you may write to", "一个可写的文件夹"),
        f"{HOME_VARIABLE}=~/interview-coach coach",
    )
