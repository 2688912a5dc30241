"""The one error that is written for a reader: what is wrong, where, what would be right, the next command."""

from __future__ import annotations

from pathlib import Path

from interview_coach.text import Language, Text

_LABELS = {
    "where": Text("where", "位置"),
    "right": Text("right would be", "正确的是"),
    "next": Text("next", "下一步"),
}


class CoachError(Exception):
    """Something that the user can put right. Its ``str`` is the English text, ready for stderr.

    Args:
        what: what is wrong, in one sentence.
        where: the file, line, field or event it was found in.
        right: what would have been right.
        next_command: the exact command to type next.
    """

    def __init__(
        self,
        what: Text | str,
        where: Path | str | None = None,
        right: Text | str | None = None,
        next_command: str | None = None,
    ) -> None:
        super().__init__(what, where, right, next_command)
        self.what = what
        self.where = where
        self.right = right
        self.next_command = next_command

    def message(self, language: Language) -> str:
        """The whole error in ``language``: one line for what is wrong, one for each thing known about it."""
        details = {"where": self.where, "right": self.right, "next": self.next_command}
        lines = [_in(self.what, language)]
        lines += [
            f"  {_LABELS[name].get(language)}: {_in(value, language)}" for name, value in details.items() if value
        ]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.message("en")


def _in(value: Text | Path | str, language: Language) -> str:
    return value.get(language) if isinstance(value, Text) else str(value)
