"""From the bytes of a question file to plain data, with the line of everything in it.

Every scalar is kept as the text that was written: the field it fills decides the type. So ``no`` stays a word, ``3.20``
a section number, and none of YAML's own conversions can fail. Aliases are allowed up to a size; tags are not.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from interview_coach.bank.problems import NOUNS, Location, Problem, field_name, problem
from interview_coach.records import record
from interview_coach.text import Text

MAX_BYTES = 256 * 1024
"""The longest question file that is read."""
MAX_NODES = 20_000
"""The most values that a file may hold once its aliases are expanded."""
MAX_DEPTH = 40
"""How deep lists and mappings may be nested."""

_Loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_PLAIN_TAGS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("str", "seq", "map"))
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_WIDE = "[\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef“”‘’…—]"
_CHINESE_BREAK = re.compile(f"(?<={_WIDE})[ \n](?={_WIDE})")
"""Where a line of Chinese was broken in the file: between words of English a space, here nothing."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


@record
class Document:
    """A file that is YAML: its data (mappings, lists, texts and ``None``) and the nodes they came from."""

    data: dict[str, Any]
    root: yaml.MappingNode

    def line(self, location: Location, *, key: bool = False) -> int:
        """The line, from 1, of the value at ``location``, or of the nearest thing around it that exists.

        Args:
            location: Field names and list positions from the top.
            key: Take the line of the field's name, not of its value.
        """
        node: yaml.Node = self.root
        line = node.start_mark.line
        for step in location:
            entry = _entry(node, step)
            if entry is None:
                break
            name, node = entry
            line = name.start_mark.line if key and name is not None else node.start_mark.line
        return int(line) + 1


def _entry(node: yaml.Node, step: str | int) -> tuple[yaml.Node | None, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        return next(((name, value) for name, value in node.value if name.value == step), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return None, node.value[step]
    return None


def noun(value: object) -> Text:
    """What ``value`` is, in words."""
    return NOUNS.get(type(value).__name__, NOUNS["NoneType"])


def read_document(file: str, content: bytes) -> tuple[Document | None, list[Problem]]:
    """Read one question file.

    Args:
        file: The file's name, for the problems.
        content: Its bytes.

    Returns:
        The document, or ``None`` when there is nothing that could be checked; and what is wrong with it.
    """
    if b"\0" in content and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None, [problem(file, 1 + content[: content.index(b"\0")].count(b"\n"), "file", "binary")]
    try:
        source = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return None, [problem(file, 1 + content[: error.start].count(b"\n"), "file", "not_utf8")]
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    found = _CONTROL.search(source)
    if found:
        line = 1 + source.count("\n", 0, found.start())
        return None, [problem(file, line, "yaml", "control", character=f"U+{ord(found[0]):04X}")]
    try:
        root = _Loader(source).get_single_node()
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        return None, [_syntax_problem(file, source, error)]
    if root is None:
        return None, [problem(file, 1, "file", "empty")]
    builder = _Builder(file)
    try:
        data = builder.plain(root, ())
    except _TooLargeError:
        return None, [problem(file, 1, "yaml", "too_large", most=MAX_NODES, deepest=MAX_DEPTH)]
    if not isinstance(data, dict):
        return None, [problem(file, root.start_mark.line + 1, "yaml", "not_a_mapping", found=noun(data))]
    return Document(data, root), builder.problems


def _syntax_problem(file: str, source: str, error: Exception) -> Problem:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    line = mark.line if mark else 0
    lines = source.split("\n")
    written = lines[line] if line < len(lines) else ""
    if "\t" in written[: len(written) - len(written.lstrip())] or "'\\t'" in str(getattr(error, "problem", "")):
        return problem(file, line + 1, "yaml", "tab")
    parts = (getattr(error, "context", None), getattr(error, "problem", None))
    detail = ", ".join(part for part in parts if part) or "too deeply nested"
    return problem(file, line + 1, "yaml", "yaml", detail=detail)


class _TooLargeError(Exception):
    """The file holds more than anybody wrote: aliases of aliases, or an alias inside itself."""


class _Builder:
    """Makes plain data of YAML nodes, and notes what it had to leave out."""

    def __init__(self, file: str) -> None:
        self.problems: list[Problem] = []
        self._file = file
        self._nodes = 0

    def plain(self, node: yaml.Node, location: Location) -> Any:
        """The data of ``node``. An alias is written out each time, so what it costs is counted each time."""
        self._nodes += 1
        if self._nodes > MAX_NODES or len(location) > MAX_DEPTH:
            raise _TooLargeError
        if node.tag not in _PLAIN_TAGS:
            self._note(node, location, "tag", tag=node.tag.replace("tag:yaml.org,2002:", "!!"))
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, location)
        if isinstance(node, yaml.SequenceNode):
            return [self.plain(child, (*location, index)) for index, child in enumerate(node.value)]
        data: dict[str, Any] = {}
        lines: dict[str, int] = {}
        for name, value in node.value:
            if not isinstance(name, yaml.ScalarNode):
                self._note(name, location, "key")
                continue
            here = (*location, name.value)
            if name.value in data:
                self._note(name, here, "duplicate_key", first=lines[name.value])
                continue
            lines[name.value] = name.start_mark.line + 1
            data[name.value] = self.plain(value, here)
        return data

    def _scalar(self, node: yaml.ScalarNode, location: Location) -> str | None:
        value: str = node.value
        style: str | None = node.style
        if not style:
            return None if value in _NULLS else value
        if style == '"' and (found := _CONTROL.search(value)):  # the only style that can spell a control character
            self._note(node, location, "control", character=f"U+{ord(found[0]):04X}")
        if style in "|>" and "```" not in value:
            value = _CHINESE_BREAK.sub("", value)
        return value

    def _note(self, node: yaml.Node, location: Location, code: str, **details: object) -> None:
        self.problems.append(problem(self._file, node.start_mark.line + 1, field_name(location), code, **details))
