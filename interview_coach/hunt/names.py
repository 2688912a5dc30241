"""What each bug is, in a few words and in both languages, to choose from."""

from __future__ import annotations

from interview_coach.grading.codes import message
from interview_coach.text import Text

_PREFIX = Text("your output equals attention ", "你的输出等于")
"""A program that is read has no output yet."""


def describe(code: str) -> Text:
    """What the bug ``code`` is."""
    return Text(message(code, "en").removeprefix(_PREFIX.en), message(code, "zh").removeprefix(_PREFIX.zh))
