"""Where the questions and the reference solutions lie: beside the package in a checkout, inside it when installed."""

from __future__ import annotations

from pathlib import Path
from typing import Literal


def resource_dir(name: Literal["questions", "solutions"]) -> Path:
    """The folder ``name``.

    Raises:
        FileNotFoundError: It is neither inside the package nor beside it: the installation is broken.
    """
    package = Path(__file__).resolve().parent
    candidates = (package / "_data" / name, package.parent / name)
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise FileNotFoundError(
        f"no folder {name!r}: looked for {' and '.join(map(str, candidates))}; install the package again"
    )
