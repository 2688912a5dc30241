"""Changes single values of a TOML text and leaves the rest, comments included, as it was."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

Scalar = str | int | float | bool
_TABLE = re.compile(r"\s*\[")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def edit(text: str, changes: Mapping[str, Scalar | None], table: str | None = None) -> str:
    """``text`` with ``changes`` made in ``table`` (``None``: before any table); a change to ``None`` takes the key out.

    It works by lines, so a value that spans lines is beyond it: parse the result before trusting it.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    start, end = _span(lines, table)
    if start is None:
        if table is not None:
            lines += ["", f"[{table}]"] if lines else [f"[{table}]"]
        start = end = len(lines)
    body = lines[start:end]
    for key, value in changes.items():
        entry = [] if value is None else [f"{_key(key)} = {_value(value)}"]
        at = next((i for i, line in enumerate(body) if _names(line, key)), None)
        if at is not None:
            body[at : at + 1] = entry
        else:
            after = max((i + 1 for i, line in enumerate(body) if line.strip()), default=0)
            body[after:after] = entry
    return "\n".join(lines[:start] + body + lines[end:]) + "\n"


def _span(lines: list[str], table: str | None) -> tuple[int | None, int]:
    """The lines between the header of ``table`` and the next header."""
    headers = [i for i, line in enumerate(lines) if _TABLE.match(line)]
    if table is None:
        return 0, headers[0] if headers else len(lines)
    for i in headers:
        if lines[i].split("#")[0].strip().replace(" ", "") == f"[{table}]":
            return i + 1, next((later for later in headers if later > i), len(lines))
    return None, len(lines)


def _names(line: str, key: str) -> bool:
    rest = line.lstrip()
    return any(
        rest.startswith(spelling) and rest[len(spelling) :].lstrip().startswith("=")
        for spelling in (key, _value(key), f"'{key}'")
    )


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)


def _value(value: Scalar) -> str:
    if isinstance(value, str):
        # JSON's escapes are TOML's, but for DEL, which TOML wants escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value)
