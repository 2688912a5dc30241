"""A page of text for a terminal: paragraphs, tables and charts laid out by display width, in either language."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from interview_coach.text import Language, Text

Cell = str | Text

_GAP = 2
_MIN_WIDTH = 40
_MARKS = "ox+*#@"
_COLORS = (36, 31, 33, 35, 32, 34)
_NOT_AT_LINE_START = frozenset(",;:!?)\uff0c\u3002\uff1b\uff1a\u3001\uff01\uff1f\uff09\u300d\u300f\u300b\u201d\u2019")
_NOT_AT_LINE_END = frozenset("([\uff08\u300c\u300e\u300a\u201c\u2018")
_PIECE = r"(?s)\s+|[^\s\u2e80-\u9fff\uff00-\uffef\u3000-\u303f]+|."


def display_width(text: str) -> int:
    """Columns that ``text`` takes in a terminal: 2 for a wide character, 0 for a combining one."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def pad(text: str, width: int, *, right: bool = False) -> str:
    """``text`` filled with spaces to ``width`` columns, aligned left or ``right``."""
    space = " " * max(0, width - display_width(text))
    return space + text if right else text + space


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """``text`` in lines of at most ``width`` columns: broken at spaces and between Chinese characters.

    Every line after the first starts with ``indent``. No line starts with closing punctuation or ends with
    an opening bracket; too long a word is cut.
    """
    lines, line = [], ""
    for piece in _pieces(text, width - len(indent)):
        if display_width(line) + display_width(piece) <= width:
            line += piece
        elif not piece.isspace():
            lines.append(line.rstrip())
            line = indent + piece
    return [*lines, line.rstrip()]


def _pieces(text: str, width: int) -> Iterator[str]:
    """What must stay together: spaces, words, single Chinese characters with the punctuation that follows them."""
    pending = ""
    for piece in re.findall(_PIECE, text.strip()):
        if pending and piece[0] not in _NOT_AT_LINE_START and pending[-1] not in _NOT_AT_LINE_END:
            yield pending
            pending = ""
        pending += piece
        while display_width(pending) > width:
            cut = next(end for end in range(len(pending), 0, -1) if display_width(pending[:end]) <= width)
            yield pending[:cut]
            pending = pending[cut:]
    if pending:
        yield pending


class Page:
    """Collects blocks and returns them as text.

    Args:
        language: Which side of every :class:`Text` is shown.
        width: Columns; no line is wider. Below 40 it is taken as 40.
        color: Whether to use ANSI colours; ``NO_COLOR`` in the environment overrules it.
    """

    def __init__(self, language: Language, width: int = 80, color: bool = False) -> None:
        self.language = language
        self.width = max(width, _MIN_WIDTH)
        self.color = color and not os.environ.get("NO_COLOR")
        self._lines: list[str] = []

    def text(self) -> str:
        """Everything so far, without a newline at the end."""
        return "\n".join(self._lines)

    def title(self, text: Cell) -> None:
        """A heading."""
        self._block([self._paint(line, "1") for line in wrap(self._get(text), self.width)])

    def say(self, text: Cell) -> None:
        """A paragraph."""
        self._block(wrap(self._get(text), self.width))

    def table(self, header: Sequence[Cell], rows: Sequence[Sequence[Cell]]) -> None:
        """A table, its first column aligned left, the others right; records below each other where too wide."""
        head = [self._get(cell) for cell in header]
        body = [[self._get(cell) for cell in row] for row in rows]
        widths = [max(display_width(row[i]) for row in [head, *body]) for i in range(len(head))]
        if sum(widths) + _GAP * (len(widths) - 1) > self.width:
            self._block([line for row in body for line in self._record(head, row)])
            return
        lines = [self._row(row, widths) for row in [head, *body]]
        self._block([self._paint(lines[0], "2"), *lines[1:]])

    def chart(
        self,
        series: Mapping[str, Sequence[float]],
        ticks: Sequence[str],
        names: Mapping[str, Text],
        *,
        height: int = 12,
    ) -> None:
        """Lines over equally spaced ``ticks``, from 0 to the largest value, each series with a mark of its own.

        Args:
            series: A key and one value a tick.
            ticks: Labels of the horizontal axis.
            names: What the legend says for each key.
            height: Rows of the plotting area.
        """
        top = max(max(values) for values in series.values())
        labels = [f"{top * (height - 1 - row) / (height - 1):.1f}" for row in range(height)]
        margin = max(map(len, labels))
        columns = min(self.width, 72) - margin - 3
        places = [2 + round(i * (columns - 5) / max(len(ticks) - 1, 1)) for i in range(len(ticks))]
        grid = [[" "] * columns for _ in range(height)]
        for (values, mark), code in zip(zip(series.values(), _MARKS, strict=False), _COLORS, strict=False):
            rows = [round((1 - value / top) * (height - 1)) for value in values]
            self._draw(grid, places, rows, self._paint(mark, str(code)), self._paint(".", str(code)))
        every = max(1, height // 4)
        lines = []
        for row, cells in enumerate(grid):
            label = labels[row] if row % every == 0 or row == height - 1 else ""
            lines.append(f"{label:>{margin}} |" + "".join(cells).rstrip())
        axis = [" "] * (columns + 4)
        for place, tick in zip(places, ticks, strict=True):
            start = max(0, min(place - len(tick) // 2, columns - len(tick)))
            axis[start : start + len(tick)] = tick
        lines.append(" " * margin + " +" + "-" * columns)
        lines.append(" " * (margin + 2) + "".join(axis).rstrip())
        legend = [f"{mark} {self._get(names[key])}" for key, mark in zip(series, _MARKS, strict=False)]
        lines.extend(wrap("    ".join(legend), self.width))
        self._block(lines)

    @staticmethod
    def _draw(grid: list[list[str]], places: list[int], rows: list[int], mark: str, dot: str) -> None:
        for (left, start), (right, end) in zip(
            zip(places, rows, strict=True), zip(places[1:], rows[1:], strict=True), strict=False
        ):
            for column in range(left + 2, right - 1, 2):
                row = round(start + (end - start) * (column - left) / (right - left))
                if grid[row][column] == " ":
                    grid[row][column] = dot
        for place, row in zip(places, rows, strict=True):
            grid[row][place] = mark

    def _row(self, row: Sequence[str], widths: Sequence[int]) -> str:
        cells = [pad(cell, width, right=i > 0) for i, (cell, width) in enumerate(zip(row, widths, strict=True))]
        return (" " * _GAP).join(cells).rstrip()

    def _record(self, head: Sequence[str], row: Sequence[str]) -> Iterator[str]:
        yield from wrap(f"{head[0]}: {row[0]}" if head[0] else row[0], self.width)
        for name, cell in zip(head[1:], row[1:], strict=True):
            first, *rest = wrap(f"{name}: {cell}" if name else cell, self.width - 2, "  ")
            yield from (f"  {line}" for line in (first, *rest))

    def _block(self, lines: Sequence[str]) -> None:
        if self._lines:
            self._lines.append("")
        self._lines.extend(lines)

    def _paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color else text

    def _get(self, cell: Cell) -> str:
        return cell if isinstance(cell, str) else cell.get(self.language)
