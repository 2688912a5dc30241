"""``python -m interview_coach.bank.lint [FOLDER…]``: everything that is wrong with question files, one a line."""

from __future__ import annotations

import sys
from pathlib import Path

from interview_coach.bank.library import lint


def main(arguments: list[str]) -> int:
    """Print the problems of the folders (if none is named, of the program's own bank); 1 if there are any."""
    problems = lint([Path(argument) for argument in arguments] or None)
    for found in problems:
        print(found)
    print(f"{len(problems)} problems" if problems else "no problems", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
