"""Opening a bank: finding its files, taking what the cache has of them, compiling the rest."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from interview_coach.bank import cache as compiled
from interview_coach.bank.cache import Blocks, Span
from interview_coach.bank.collection import Bank, Head
from interview_coach.bank.files import QuestionFile, find_files, line_of, read_question
from interview_coach.bank.model import Question
from interview_coach.bank.problems import Problem, problem
from interview_coach.bank.rows import from_row, to_row
from interview_coach.errors import CoachError
from interview_coach.resources import resource_dir
from interview_coach.text import Text


class _Entry(NamedTuple):
    """What is known of a file once it was compiled."""

    head: tuple[Any, ...] | None
    span: Span
    problems: tuple[tuple[Any, ...], ...]


def load_bank(folders: Sequence[Path] | None = None, *, builtin: bool = True, cache: bool = True) -> Bank:
    """Open the questions that come with the program and those of the reader.

    A broken file is left out and told of in :attr:`Bank.problems`; of two files with the same id the first one counts.

    Args:
        folders: Further folders (or single files), as given by ``--bank``.
        builtin: Also open the program's own questions and the folder ``questions`` beside the reader's ``config.toml``.
        cache: Use the compiled bank, and write it when it is stale.
    """
    roots = [*(_own_folders() if builtin else ()), *map(Path, folders or ())]
    files, problems = find_files(roots)
    where = compiled.cache_path("bank", map(_absolute, roots))
    key = compiled.program_key()
    header, stored = (cache and compiled.read_cache(where)) or (None, None)
    known, entries = header[1:] if header and header[0] == key else ([], [])
    if list(map(tuple, files)) == known and stored:
        return _assemble(
            files, [_Entry(*entry) for entry in entries], stored.packed, problems, where if cache else None
        )

    reusable = dict(zip(known, entries, strict=True))
    blocks: list[bytes] = []
    fresh: list[_Entry] = []
    offset = 0
    for file in files:
        entry, block = _reused(reusable.get(tuple(file)), stored) or _compile(file)
        fresh.append(entry._replace(span=(offset, *entry.span[1:])))
        blocks.append(block)
        offset += len(block)
    if cache:
        compiled.write_cache(where, (key, list(map(tuple, files)), list(map(tuple, fresh))), blocks)
    at = {entry.span: block for entry, block in zip(fresh, blocks, strict=True)}
    return _assemble(files, fresh, at.get, problems, where if cache else None)


def lint(folders: Sequence[Path] | None = None) -> list[Problem]:
    """Everything that is wrong with the question files of ``folders``, in the order of files and lines.

    Args:
        folders: Folders or single files; ``None`` is the bank that comes with the program.
    """
    files, problems = find_files(list(map(Path, folders)) if folders is not None else [resource_dir("questions")])
    ids: dict[str, str] = {}
    for file in files:
        question, found = read_question(file)
        problems += found
        if question is not None and (other := ids.setdefault(question.id, file.path)) != file.path:
            problems.append(_duplicate(question.id, file.path, other))
    return sorted(problems)


def _own_folders() -> Iterable[Path]:
    from interview_coach.paths import config_dir

    yield resource_dir("questions")
    own = config_dir(create=False) / "questions"
    if own.is_dir():
        yield own


def _absolute(root: Path) -> str:
    return str(root.absolute())


def _compile(file: QuestionFile) -> tuple[_Entry, bytes]:
    question, found = read_question(file)
    problems = tuple((each.file, each.line, each.field, each.message, each.message_zh) for each in found)
    if question is None:
        return _Entry(None, (0, 0, 0), problems), b""
    block = compiled.pack(to_row(question))
    head = (question.id, question.topic, question.tags, question.level, question.frequency)
    return _Entry(head, (0, len(block), zlib.crc32(block)), problems), block


def _reused(entry: tuple[Any, ...] | None, stored: Blocks | None) -> tuple[_Entry, bytes] | None:
    if entry is None or stored is None:
        return None
    known = _Entry(*entry)
    block = stored.packed(known.span) if known.head else b""
    return None if block is None else (known, block)


def _assemble(
    files: list[QuestionFile],
    entries: list[_Entry],
    packed: Callable[[Span], bytes | None],
    problems: list[Problem],
    where: Path | None,
) -> Bank:
    heads: dict[str, Head] = {}
    sources: dict[str, tuple[QuestionFile, Span]] = {}
    for file, entry in zip(files, entries, strict=True):
        problems += [Problem(*each) for each in entry.problems]
        if entry.head is None:
            continue
        head = Head._make(entry.head)
        if head.id in heads:
            problems.append(_duplicate(head.id, file.path, sources[head.id][0].path))
            continue
        heads[head.id] = head
        sources[head.id] = file, entry.span

    def fetch(question_id: str) -> Question:
        file, span = sources[question_id]
        block = packed(span)
        if block is not None:
            return from_row(compiled.unpack(block))
        question, found = read_question(file)  # the cache was harmed after it was opened
        if question is None:
            raise CoachError(
                Text(f"The question {question_id} can no longer be read.", f"题目 {question_id} 已无法读取。"),
                file.path,
                Text(found[0].message, found[0].message_zh) if found else None,
                "coach questions lint",
            )
        return question

    paths = {question_id: file.path for question_id, (file, _) in sources.items()}
    index_file = (where.with_name(f"{where.stem}-search.cache"), _content_key(entries)) if where else None
    return Bank(heads, fetch, problems=tuple(problems), paths=paths, index_file=index_file)


def _content_key(entries: Iterable[_Entry]) -> list[Any]:
    contents = compiled.pack([entry.span for entry in entries])
    return [len(contents), zlib.crc32(contents), list(compiled.program_key())]


def _duplicate(question_id: str, path: str, other: str) -> Problem:
    return problem(path, line_of(path, ("id",)), "id", "duplicate_id", value=question_id, other=other)
