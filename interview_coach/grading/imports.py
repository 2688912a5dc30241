"""What a source imports, as its text shows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache


@lru_cache(maxsize=8)
def imported_modules(text: str) -> list[str]:
    """Top-level names of the modules that a source imports anywhere, as far as its text shows."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return sorted(set(re.findall(r"^\s*(?:import|from)\s+(\w+)", text, re.MULTILINE)))
    names: set[str] = set()
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    return sorted(names | {name.partition(".")[0] for name in names})


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements under a node. Expressions hold none, and are nine tenths of a tree."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        inner = getattr(node, field, ())
        for child in inner if isinstance(inner, list) else ():
            yield child
            yield from _statements(child)
