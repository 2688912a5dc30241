"""The user's settings: ``config.toml`` in the configuration folder.

A wrong value is reported and its default used; the file is replaced atomically, and copied first when anything in it
could not be understood.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import field, fields
from pathlib import Path
from typing import Any

from interview_coach.errors import CoachError
from interview_coach.paths import config_dir
from interview_coach.records import record
from interview_coach.text import LANGUAGES, Language, Text, system_language

Document = dict[str, Any]


@record
class Settings:
    """What a user may choose.

    Attributes:
        language: of the interface and of the questions.
        answer_seconds: length of the answer phase, 5 to 3600.
        think_seconds: length of the think phase, 0 to 3600.
        new_per_day: new cards a day, 0 to 9999.
        four_ratings: rate with four keys, not two.
        reduced_motion: nothing moves but the clock.
        theme: name of a Textual theme.
        keys: binding id to key, where they differ from the defaults.
    """

    language: Language = field(default_factory=system_language)
    answer_seconds: int = 30
    think_seconds: int = 10
    new_per_day: int = 10
    four_ratings: bool = False
    reduced_motion: bool = False
    theme: str = "textual-dark"
    keys: Mapping[str, str] = field(default_factory=dict)


@record
class _Rule:
    """Which values a setting may take, in code and in words."""

    allows: Callable[[Any], bool]
    words: Text


def _whole(low: int, high: int) -> _Rule:
    return _Rule(
        lambda value: isinstance(value, int) and not isinstance(value, bool) and low <= value <= high,
        Text(f"a whole number, {low} to {high}", f"{low} 到 {high} 的整数"),
    )


_SWITCH = _Rule(lambda value: isinstance(value, bool), Text("true or false", "true 或 false"))
_RULES: Mapping[str, _Rule] = {
    "language": _Rule(
        lambda value: value in LANGUAGES,
        Text(" or ".join(f'"{code}"' for code in LANGUAGES), " 或 ".join(f'"{code}"' for code in LANGUAGES)),
    ),
    "answer_seconds": _whole(5, 3600),
    "think_seconds": _whole(0, 3600),
    "new_per_day": _whole(0, 9999),
    "four_ratings": _SWITCH,
    "reduced_motion": _SWITCH,
    "theme": _Rule(
        lambda value: isinstance(value, str) and bool(value),
        Text('the name of a theme, such as "textual-dark"', '主题名，例如 "textual-dark"'),
    ),
}
_KEY_RULE = _Rule(
    lambda value: isinstance(value, str) and bool(value), Text('a key, such as "ctrl+d"', '按键，例如 "ctrl+d"')
)


def settings_file() -> Path:
    """Where the settings lie, whether or not the file exists."""
    return config_dir(create=False) / "config.toml"


def to_stderr(problem: CoachError) -> None:
    """The default way to report a problem."""
    print(problem.message(system_language()), file=sys.stderr)


def load_settings(report: Callable[[CoachError], None] = to_stderr) -> Settings:
    """The settings in force.

    Args:
        report: called once for each problem in the file; the defaults stand in for what is wrong.
    """
    path = settings_file()
    try:
        settings, problems = _interpret(_parse(_read(path), path), path)
    except CoachError as error:
        settings, problems = Settings(), [error]
    for problem in problems:
        report(problem)
    return settings


def save_settings(settings: Settings) -> None:
    """Writes the settings atomically. Keys of others, and comments, stay where they are.

    Where the file holds something that could not be understood, it is copied to ``config.broken-N.toml`` first.

    Raises:
        CoachError: the file or its folder cannot be written.
        ValueError: ``settings`` holds a value that is not allowed.
    """
    path = config_dir() / "config.toml"
    _, problems = _interpret(_to_document(settings), path)
    if problems:
        raise ValueError(str(problems[0]))
    try:
        _replace(path, _merged(settings, path))
    except OSError as error:
        raise _unwritable(path, error) from error


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise CoachError(
            Text(f"The settings cannot be read: {error.strerror}.", f"无法读取设置：{error.strerror}。"),
            path,
            Text("a file that you may read; the defaults are used", "一个可读的文件；现用默认值"),
        ) from error


def _parse(raw: bytes, path: Path) -> Document:
    try:
        return tomllib.loads(raw.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CoachError(
            Text(f"The settings are not valid TOML: {error}.", f"设置文件不是有效的 TOML：{error}。"),
            path,
            Text(
                'lines such as: language = "en"; the defaults are used, the file stays as it is',
                '形如 language = "en" 的行；现用默认值，文件保持原样',
            ),
        ) from error


def _interpret(document: Document, path: Path) -> tuple[Settings, list[CoachError]]:
    """The settings in a document, and what in it is not allowed."""
    problems: list[CoachError] = []

    def check(name: str, value: Any, rule: _Rule) -> bool:
        try:
            allowed = rule.allows(value)
        except TypeError:
            allowed = False
        if not allowed:
            problems.append(
                CoachError(
                    Text(f"The setting {name} cannot be {value!r}.", f"设置项 {name} 不能是 {value!r}。"),
                    path,
                    rule.words,
                )
            )
        return allowed

    values = {
        name: document[name] for name, rule in _RULES.items() if name in document and check(name, document[name], rule)
    }
    table = document.get("keys", {})
    if check("keys", table, _Rule(lambda value: isinstance(value, dict), Text("a table, [keys]", "表 [keys]"))):
        bindings = _dotted(table)
        values["keys"] = {name: key for name, key in bindings.items() if check(f"keys.{name}", key, _KEY_RULE)}
    return Settings(**values), problems


def _dotted(table: Document, prefix: str = "") -> Document:
    """A table with ``app.quit = "q"``, which TOML reads as nested tables, as one flat table."""
    flat: Document = {}
    for name, value in table.items():
        if isinstance(value, dict):
            flat |= _dotted(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = value
    return flat


def _to_document(settings: Settings) -> Document:
    return {entry.name: getattr(settings, entry.name) for entry in fields(Settings)} | {"keys": dict(settings.keys)}


def _merged(settings: Settings, path: Path) -> str:
    """The text of the file with the settings in it; keeps a copy of the old one where it is not kept whole."""
    from interview_coach.toml_edit import edit

    raw = _read(path)
    wanted = _to_document(settings)
    keys = wanted.pop("keys")
    try:
        old = _parse(raw, path)
        text = raw.decode("utf-8-sig")
        _, problems = _interpret(old, path)
    except CoachError as error:
        old, text, problems = {}, "", [error]
    if problems:
        _copy_aside(raw, path)

    text = edit(text, {name: value for name, value in wanted.items() if not _same(old.get(name), value)})
    table = old.get("keys", {})
    old_keys = table if isinstance(table, dict) else {}
    stale = {name: None for name in old_keys if name not in keys}
    changed = {name: key for name, key in keys.items() if old_keys.get(name) != key}
    if stale or changed:
        text = edit(text, stale | changed, "keys")

    others = {name: value for name, value in old.items() if name not in wanted and name != "keys"}
    try:
        new = _parse(text.encode(), path)
        if _interpret(new, path) == (settings, []) and others.items() <= new.items():
            return text
    except CoachError:
        pass
    # The file is written in a way that cannot be edited by lines: set it aside and start a clean one.
    if not problems:
        _copy_aside(raw, path)
    text = edit("", wanted)
    return edit(text, keys, "keys") if keys else text


def _same(old: Any, new: Any) -> bool:
    return type(old) is type(new) and bool(old == new)


def _copy_aside(raw: bytes, path: Path) -> Path:
    """Keeps the bytes under the first free name, and says where."""
    number = 1
    while True:
        copy = path.with_name(f"{path.stem}.broken-{number}{path.suffix}")
        try:
            with copy.open("xb") as file:
                file.write(raw)
        except FileExistsError:
            number += 1
        else:
            return copy


def _replace(path: Path, text: str) -> None:
    """Writes beside the file, then takes its place; a link to a file elsewhere stays a link."""
    import tempfile

    target = path.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o644)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _unwritable(path: Path, error: OSError) -> CoachError:
    return CoachError(
        Text(f"The settings cannot be saved: {error.strerror}.", f"无法保存设置：{error.strerror}。"),
        path,
        Text("a file that you may write to", "一个可写的文件"),
    )
