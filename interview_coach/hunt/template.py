"""A right attention, and the edits that plant a bug in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from interview_coach.grading.lines import line_of
from interview_coach.records import record
from interview_coach.text import Text


@record
class Program:
    """One program to hunt in.

    Attributes:
        template: Id of the template.
        exercise: Id of the exercise it belongs to.
        style: How it is written, in a few words.
        text: The source.
        code: The planted bug; ``None`` for the template itself.
        lines: Numbers of the lines that the bug changed.
        right: What these lines should be.
        also: A line that the grader's diagnosis points at instead, which is as good an answer.
    """

    template: str
    exercise: str
    style: Text
    text: str
    code: str | None = None
    lines: tuple[int, ...] = ()
    right: tuple[str, ...] = ()
    also: tuple[int, ...] = ()


@record
class Template:
    """A right attention in one style.

    ``edits`` maps a bug's code to the piece of the text that it replaces, found exactly once, and the replacement.
    """

    id: str
    exercise: str
    style: Text
    text: str
    edits: Mapping[str, tuple[str, str]]

    def right(self) -> Program:
        """The template as it is, without a bug."""
        return Program(self.id, self.exercise, self.style, self.text)

    def planted(self, code: str) -> Program:
        """The template with the bug ``code``.

        Raises:
            KeyError: The template has no such edit.
            ValueError: The piece to replace is not there, or there more than once.
        """
        old, new = self.edits[code]
        if self.text.count(old) != 1:
            raise ValueError(f"{self.id}: {code}: {old!r} is there {self.text.count(old)} times")
        text = self.text.replace(old, new)
        before, after = self.text.splitlines(), text.splitlines()
        first, last = _changed(before, after)
        lines = tuple(range(first + 1, max(first + 1, len(after) - last) + 1))
        right = tuple(before[first : len(before) - last])
        pointed = line_of(ast.parse(text), code, None)
        also = () if pointed is None or pointed in lines else (pointed,)
        return Program(self.id, self.exercise, self.style, text, code, lines, right, also)

    def programs(self) -> Iterator[Program]:
        """One program a bug."""
        return (self.planted(code) for code in self.edits)


def _changed(before: list[str], after: list[str]) -> tuple[int, int]:
    """How many lines at the start, and how many at the end, are the same."""
    shortest = min(len(before), len(after))
    first = next((n for n in range(shortest) if before[n] != after[n]), shortest)
    last = next((n for n in range(shortest - first) if before[-1 - n] != after[-1 - n]), shortest - first)
    return first, last
