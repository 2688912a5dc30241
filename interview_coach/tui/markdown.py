"""Markdown as lines of text: enough for an answer, and one widget instead of fifty.

Paragraphs, headings, lists, quotes, fenced code and tables; within a line ``code``, **bold**, *emphasis* and links.
Unlike CommonMark, emphasis may touch Chinese letters and punctuation, as Chinese writers expect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from textual.content import Content

from interview_coach.records import record
from interview_coach.tui.wrapping import line_breaks

CODE = "$text-accent"
# Plain strings: `re` compiles and keeps them when they are first used, which is after the first frame.
_INLINE = (
    r"`(?P<code>[^`]+)`"
    r"|\*\*(?P<bold>.+?)\*\*"
    r"|(?<![A-Za-z0-9*])\*(?=\S)(?P<italic>[^*\n]+?)(?<=\S)\*(?![A-Za-z0-9*])"
    r"|\[(?P<label>[^\]]+)\]\((?P<url>[^)\s]+)\)"
)
_ITEM = r"(\s*)([-*+]|\d+[.)])\s+(.*)"
_RULE_ROW = r"\|?[\s:|-]+\|?"
_CELL = r"(?:\\\||`[^`]*`|[^|])+"
_WIDE = "[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60]"


@record
class Block:
    """A piece of text that is broken into lines to fit.

    Attributes:
        content: The text.
        first: What stands before its first line; the other lines are indented by as much.
        aside: What stands at the right end of its first line.
        anchor: A name to find the block by.
        verbatim: Code: broken only where it must be.
    """

    content: Content
    first: Content | str = ""
    aside: str = ""
    anchor: str = ""
    verbatim: bool = False


@record
class Table:
    """Cells by row; the first row is the heading."""

    rows: tuple[tuple[Content, ...], ...]
    anchor: str = ""


BLANK = Block(Content(""))


def inline(text: str) -> Content:
    """A line of Markdown as styled text."""
    if not any(mark in text for mark in "`*["):
        return Content(text)
    parts: list[Content] = []
    last = 0
    for match in re.finditer(_INLINE, text):
        parts.append(Content(text[last : match.start()]))
        match match.lastgroup:
            case "code":
                parts.append(Content(match["code"]).stylize(CODE))
            case "bold":
                parts.append(inline(match["bold"]).stylize("bold"))
            case "italic":
                parts.append(inline(match["italic"]).stylize("italic"))
            case _:
                parts.append(Content(f"{match['label']} ({match['url']})"))
        last = match.end()
    return Content("").join([*parts, Content(text[last:])])


def joined(lines: Sequence[str]) -> str:
    """Source lines as one; between two Chinese letters a line end is no space."""
    text = ""
    for line in (line.strip() for line in lines):
        close = not text or (re.match(_WIDE, text[-1]) and re.match(_WIDE, line[:1]))
        text += line if close else f" {line}"
    return text


def parse(text: str) -> list[Block | Table]:
    """The blocks of a text, with a blank one between paragraphs."""
    lines = text.strip("\n").split("\n")
    blocks: list[Block | Table] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        end = at + 1
        if not line.strip():
            if blocks and blocks[-1] is not BLANK:
                blocks.append(BLANK)
        elif line.lstrip().startswith("```"):
            while end < len(lines) and not lines[end].lstrip().startswith("```"):
                end += 1
            indent = len(line) - len(line.lstrip())
            code = (each[indent:] if not each[:indent].strip() else each for each in lines[at + 1 : end])
            blocks += [Block(Content(each).stylize(CODE), first="  ", verbatim=True) for each in code]
            end += 1
        elif line.lstrip().startswith("|"):
            while end < len(lines) and lines[end].lstrip().startswith("|"):
                end += 1
            blocks.append(_table(lines[at:end]))
        elif line.startswith("#"):
            blocks.append(Block(inline(line.lstrip("# ")).stylize("bold")))
        else:
            item = re.fullmatch(_ITEM, line)
            quoted = line.startswith(">")
            while end < len(lines) and _continues(lines[end]):
                end += 1
            first = _bullet(item) if item else "│ " if quoted else ""
            body = [item[3], *lines[at + 1 : end]] if item else lines[at:end]
            blocks.append(Block(inline(joined([part.lstrip("> ") if quoted else part for part in body])), first=first))
        at = end
    return blocks[:-1] if blocks and blocks[-1] is BLANK else blocks


def _continues(line: str) -> bool:
    """Whether a line goes on with the paragraph or the list item before it."""
    return bool(line.strip()) and not re.fullmatch(_ITEM, line) and not line.lstrip().startswith(("```", "|", "#"))


def _bullet(item: re.Match[str]) -> str:
    mark = item[2] if item[2][0].isdigit() else "•"
    return " " * len(item[1]) + mark + " "


def _table(lines: Sequence[str]) -> Table:
    rows = [
        tuple(inline(cell.strip().replace("\\|", "|")) for cell in re.findall(_CELL, line.strip().strip("|")))
        for line in lines
        if not re.fullmatch(_RULE_ROW, line.strip())
    ]
    return Table(tuple(rows))


# --- fitting a width ---


def wrap(content: Content, width: int) -> list[Content]:
    """``content`` as lines of at most ``width`` cells."""
    lines = []
    for line in content.split(allow_blank=True):
        lines += [part.rstrip() for part in line.divide(line_breaks(line.plain, max(1, width)))]
    return lines


def layout(blocks: Sequence[Block | Table], width: int) -> tuple[list[Content], dict[str, int]]:
    """The lines for a width, and the line at which each anchor stands."""
    lines: list[Content] = []
    anchors: dict[str, int] = {}
    for block in blocks:
        if block.anchor:
            anchors[block.anchor] = len(lines)
        lines += _table_lines(block, width) if isinstance(block, Table) else _block_lines(block, width)
    return lines, anchors


def _block_lines(block: Block, width: int) -> Iterator[Content]:
    first = Content(block.first) if isinstance(block.first, str) else block.first
    indent = cell_len(first.plain)
    right = cell_len(block.aside) + 2 if block.aside else 0
    for number, line in enumerate(wrap(block.content, width - indent - right)):
        lead = first if number == 0 else Content(" " * indent)
        if number == 0 and block.aside:
            space = width - indent - cell_len(line.plain) - cell_len(block.aside)
            yield lead + line + Content(" " * max(1, space)) + Content(block.aside).stylize("dim")
        else:
            yield lead + line


def _table_lines(table: Table, width: int) -> Iterator[Content]:
    count = max(map(len, table.rows), default=0)
    widths = [max((cell_len(row[n].plain) for row in table.rows if n < len(row)), default=1) for n in range(count)]
    gaps = 3 * (count - 1)
    while sum(widths) + gaps > width and max(widths) > 4:
        widths[widths.index(max(widths))] -= 1
    for number, row in enumerate(table.rows):
        cells = [wrap(row[n] if n < len(row) else Content(""), widths[n]) for n in range(count)]
        for at in range(max(map(len, cells), default=0)):
            parts = [cell[at] if at < len(cell) else Content("") for cell in cells]
            padded = [
                part + Content(" " * (size - cell_len(part.plain))) for part, size in zip(parts, widths, strict=True)
            ]
            line = Content(" │ ").join(padded)
            yield line.stylize("bold") if number == 0 else line
        if number == 0:
            yield Content("─┼─".join("─" * size for size in widths)).stylize("dim")
