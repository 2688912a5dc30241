"""Reading a submission as text: file forms, the syntax tree, and what the file says about itself.

Nothing here runs the code, and no verdict rests on what is found here alone: names and comments order the conventions
to try, the numbers decide.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from interview_coach.grading.protocol import Source

if TYPE_CHECKING:
    from interview_coach.grading.report import Report

MAX_BYTES = 4 * 2**20
_DIRECTIVE = r"#\s*coach:\s*([a-z0-9-]+)"
_MAGIC = r"^\s*[%!?]|^\s*\w[\w.]*\?\??\s*$"


class UnreadableSubmission(Exception):
    """The path cannot be graded; ``kind`` is ``usage`` or ``import``."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


@dataclass(frozen=True, eq=False, repr=False)
class Submission:
    """A file as it was handed in."""

    path: str
    text: str
    folder: str | None
    device: str = "cpu"

    @property
    def source(self) -> Source:
        """What the worker is given."""
        return Source(self.text, self.path, self.folder, self.device)

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree. Raises :class:`UnreadableSubmission` with the line for a syntax error."""
        try:
            return ast.parse(self.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            where = f"line {error.lineno}: " if isinstance(error, SyntaxError) and error.lineno else ""
            what = error.msg if isinstance(error, SyntaxError) else str(error) or type(error).__name__
            raise UnreadableSubmission("import", f"{self.path}: {where}not valid Python ({what})") from None

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the tree, walked once."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def imports(self) -> frozenset[str]:
        """Top-level packages that the file imports, also inside functions."""
        found: set[str] = set()
        for node in self.nodes:
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.split(".")[0])
        return frozenset(found)

    @property
    def uses_torch(self) -> bool:
        """Whether the file needs torch, directly or by a sibling module."""
        if self.imports & {"torch", "triton"}:
            return True
        return any(
            re.search(r"^\s*(import|from)\s+(torch|triton)\b", text, re.MULTILINE) for text in self._siblings().values()
        )

    @property
    def frameworks(self) -> list[str]:
        """Frameworks whose arrays the submission may take, the likelier first."""
        torch, numpy = self.uses_torch, "numpy" in self.imports
        return (
            ["torch", "numpy"]
            if torch and numpy
            else ["torch"]
            if torch
            else ["numpy"]
            if numpy
            else ["numpy", "torch"]
        )

    def _siblings(self) -> dict[str, str]:
        if self.folder is None:
            return {}
        found = {}
        for name in self.imports:
            path = Path(self.folder) / f"{name}.py"
            if path.is_file() and path.stat().st_size < MAX_BYTES:
                found[name] = path.read_text("utf-8", "replace")
        return found

    @cached_property
    def directive(self) -> str | None:
        """The exercise named by a ``# coach: ID`` line."""
        for kind, text in self._comments:
            match = re.match(_DIRECTIVE, text) if kind == "comment" else None
            if match:
                return match.group(1)
        return None

    @cached_property
    def _comments(self) -> tuple[tuple[str, str], ...]:
        if "#" not in self.text:
            return ()
        try:
            tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
            return tuple(("comment", t.string) for t in tokens if t.type == tokenize.COMMENT)
        except (tokenize.TokenError, SyntaxError, IndentationError):
            return ()

    @cached_property
    def prose(self) -> str:
        """Docstrings and comments: what the file says in words."""
        docs = [
            ast.get_docstring(node) or ""
            for node in self.nodes
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        return "\n".join([*docs, *(text.lstrip("# ") for _, text in self._comments)])

    @cached_property
    def inner_names(self) -> frozenset[str]:
        """Definitions that other definitions of the file use: helpers, not the entry."""
        top = [n for n in self.tree.body if isinstance(n, _DEFINITIONS)]
        names = {n.name for n in top}
        used: set[str] = set()
        for node in top:
            if isinstance(node, ast.ClassDef) or not _starts_alone(node):
                used |= (_mentioned(node) & names) - {node.name}
        return frozenset(used)

    @cached_property
    def parts_of_classes(self) -> frozenset[str]:
        """Names that the classes of the file use."""
        return frozenset(n for node in self.tree.body if isinstance(node, ast.ClassDef) for n in _mentioned(node))

    def uses(self, name: str, other: str) -> bool:
        """Whether the definition of ``name`` mentions ``other``."""
        return any(n.name == name and other in _mentioned(n) for n in self.tree.body if isinstance(n, _DEFINITIONS))

    def holds(self, name: str, other: str) -> bool:
        """Whether the definition of ``name`` mentions ``other``, and not as a base of its own."""
        bases = [b for n in self.tree.body if isinstance(n, ast.ClassDef) and n.name == name for b in n.bases]
        return self.uses(name, other) and not any(other in _mentioned(base) for base in bases)

    @cached_property
    def used_names(self) -> frozenset[str]:
        """Names that the file itself uses outside of definitions, or in a ``main()``."""
        found: set[str] = set()
        for node in self.tree.body:
            if isinstance(node, _DEFINITIONS) and (isinstance(node, ast.ClassDef) or not _starts_alone(node)):
                continue
            found |= _mentioned(node)
        return frozenset(found)


_DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def _mentioned(node: ast.AST) -> set[str]:
    return {
        n.id if isinstance(n, ast.Name) else n.attr for n in ast.walk(node) if isinstance(n, ast.Name | ast.Attribute)
    }


def _starts_alone(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function asks for nothing, as ``main()``, a test or a benchmark with sizes of its own."""
    a = node.args
    required = len(a.posonlyargs) + len(a.args) - len(a.defaults) + sum(d is None for d in a.kw_defaults)
    return not (required or a.vararg or a.kwarg)


def read_submission(path: str, text: str | None = None) -> Submission:
    """Read a Python file or a notebook.

    Args:
        path: The file, or a label when ``text`` is given.
        text: The source itself, e.g. from standard input.

    Raises:
        UnreadableSubmission: For a missing file, a folder, an empty file, a binary one, one that is too large.
    """
    if text is not None:
        return _checked(Submission(path, _clean(text), None))
    file = Path(path)
    try:
        if not file.exists():
            raise UnreadableSubmission(
                "usage", f"{path}: no such file. Look at the path, or write a stub: coach start sdpa"
            )
        if file.is_dir():
            raise UnreadableSubmission("usage", f"{path}: a folder without Python files or notebooks to grade")
        if not file.is_file():
            # Reading a pipe or a device may never end.
            raise UnreadableSubmission("usage", f"{path}: no regular file. To grade what a pipe holds: coach grade -")
        data = file.read_bytes() if file.stat().st_size <= MAX_BYTES else None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UnreadableSubmission("usage", f"{path}: cannot be read ({reason}). Look at the path") from None
    if data is None:
        raise UnreadableSubmission("usage", f"{path}: larger than {MAX_BYTES // 2**20} MB, which is no submission")
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        content = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        raise UnreadableSubmission("import", f"{path}: not UTF-8 text; save it as UTF-8") from None
    content = _notebook(path, content) if file.suffix == ".ipynb" else _clean(content)
    return _checked(Submission(path, content, str(file.resolve().parent)))


def _checked(submission: Submission) -> Submission:
    if not submission.text.strip():
        raise UnreadableSubmission(
            "import", f"{submission.path}: the file is empty. A stub to start from: coach start sdpa"
        )
    if "\0" in submission.text:
        raise UnreadableSubmission("import", f"{submission.path}: a binary file, not Python source")
    _ = submission.tree
    return submission


def _clean(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _notebook(path: str, text: str) -> str:
    try:
        cells = json.loads(text.removeprefix("\ufeff"))["cells"]
        code = [
            source if isinstance(source := cell["source"], str) else "".join(source)
            for cell in cells
            if cell.get("cell_type") == "code"
        ]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UnreadableSubmission("import", f"{path}: not a notebook that can be read (no list of cells)") from None
    kept = []
    for cell in code:
        lines = _clean(cell).split("\n")
        if lines and lines[0].startswith("%%") and not re.match(r"%%(time|timeit|capture)\b", lines[0]):
            lines = [f"# {line}" for line in lines]
        kept.append("\n".join(map(_without_magic, lines)))
    return "\n\n".join(kept) + "\n"


def _without_magic(line: str) -> str:
    """A line as Python reads it: a command of the notebook's own becomes a comment, inside a block ``pass``."""
    if not re.match(_MAGIC, line):
        return line
    return "pass" if _indented(line) else f"# {line}"


def _indented(line: str) -> bool:
    return line[:1] in " \t"


def graded_text(report: Report) -> str | None:
    """The text that was graded, where a diagnosis points at a line of it and the file can still be read."""
    if not any(diagnosis.line for diagnosis in report.diagnosis):
        return None
    try:
        return read_submission(report.file).text
    except UnreadableSubmission:
        return None
