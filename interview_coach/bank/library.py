"""Opening a bank: finding its files, taking what the cache has of them, compiling the rest."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from interview_coach.bank import cache as compiled
from interview_coach.bank.cache import Blocks, Span
from interview_coach.bank.collection import Bank, Head
from interview_coach.bank.files import FileList, QuestionFile, find_files, line_of, read_question
from interview_coach.bank.model import Question
from interview_coach.bank.problems import Problem, problem
from interview_coach.bank.rows import from_row, to_row
from interview_coach.errors import CoachError
from interview_coach.resources import resource_dir
from interview_coach.text import Text

_Problems = tuple[tuple[Any, ...], ...]
_SEPARATOR = "\0"


class _Compiled(NamedTuple):
    """What is known of a file once it was compiled, but for the texts. Without an ``id`` it holds no question.

    The tags are one text, set apart by spaces: ten thousand tuples would cost more to load than all the rest.
    """

    id: str | None
    topic: str
    tags: str
    level: int
    frequency: int
    length: int
    checksum: int
    problems: _Problems


def load_bank(folders: Sequence[Path] | None = None, *, builtin: bool = True, cache: bool = True) -> Bank:
    """Open the questions that come with the program and those of the reader.

    A broken file is left out and told of in :attr:`Bank.problems`; of two files with the same id the first one counts.

    Args:
        folders: Further folders (or single files), as given by ``--bank``.
        builtin: Also open the program's own questions and the folder ``questions`` beside the reader's ``config.toml``.
        cache: Use the compiled bank, and write it when it is stale.
    """
    roots = [*(_own_folders() if builtin else ()), *map(Path, folders or ())]
    files = find_files(roots)
    if not cache:
        return _compile(files, None, None)
    where = compiled.cache_path("bank", (str(root.absolute()) for root in roots))
    key = (*compiled.program_key(), *map(str, roots))
    stored = compiled.read_cache(where)
    if stored is not None and stored[0][0] != key:
        stored = None
    if stored is not None:
        (_, paths, topics, stamps, columns), blocks = stored
        if paths == _SEPARATOR.join(files.paths) and topics == files.topics and stamps == files.stamps:
            return _assemble(files, columns, blocks.packed, where)
    return _compile(files, stored, (where, key))


def lint(folders: Sequence[Path] | None = None) -> list[Problem]:
    """Everything that is wrong with the question files of ``folders``, in the order of files and lines.

    Args:
        folders: Folders or single files; ``None`` is the bank that comes with the program.
    """
    files = find_files(list(map(Path, folders)) if folders is not None else [resource_dir("questions")])
    problems = files.problems
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


def _compile(files: FileList, stored: tuple[Any, Blocks] | None, keep: tuple[Path, Any] | None) -> Bank:
    """The bank of ``files``: what ``stored`` has of them is taken from there, the rest is read.

    Args:
        files: The files.
        stored: The cache as it was written last, for the same folders by the same program.
        keep: Where to write the new cache, and the key to write into it.
    """
    known = _known_files(stored[0]) if stored else {}
    entries: list[_Compiled] = []
    blocks: list[bytes] = []
    for file, stamp in zip(files, files.stamps_by_file(), strict=True):
        entry, span = known.get((*file, *stamp), (None, None))
        block = stored[1].packed(span) if stored and span else None
        if entry is None or block is None:
            entry, block = _compile_file(file)
        entries.append(entry)
        blocks.append(block)
    columns = list(map(list, zip(*entries, strict=True))) or [[] for _ in _Compiled._fields]
    if keep:
        where, key = keep
        compiled.write_cache(where, (key, _SEPARATOR.join(files.paths), files.topics, files.stamps, columns), blocks)
    in_memory = dict(zip(_spans(columns), blocks, strict=True))
    return _assemble(files, columns, in_memory.get, keep[0] if keep else None)


def _compile_file(file: QuestionFile) -> tuple[_Compiled, bytes]:
    question, found = read_question(file)
    problems = tuple((each.file, each.line, each.field, each.message, each.message_zh) for each in found)
    if question is None:
        return _Compiled(None, "", "", 0, 0, 0, 0, problems), b""
    block = compiled.pack(to_row(question))
    head = (question.id, question.topic, " ".join(question.tags), question.level, question.frequency)
    return _Compiled(*head, len(block), zlib.crc32(block), problems), block


def _spans(columns: list[list[Any]]) -> Iterable[Span]:
    """Where the block of each file lies in the body of the cache."""
    lengths, checksums, _ = columns[-3:]
    return zip(accumulate(lengths, initial=0), lengths, checksums)  # noqa: B905 - accumulate adds the end of the last


def _known_files(header: Any) -> dict[tuple[Any, ...], tuple[_Compiled, Span]]:
    """What a cache knows, by path, topic folder and stamp."""
    _, paths, topics, stamps, columns = header
    entries = map(_Compiled._make, zip(*columns, strict=True))
    keys = (
        tuple(key) for key in zip(paths.split(_SEPARATOR), topics, *(stamps[part::4] for part in range(4)), strict=True)
    )
    return dict(zip(keys, zip(entries, _spans(columns), strict=True), strict=True))


def _assemble(
    files: FileList, columns: list[list[Any]], packed: Callable[[Span], bytes | None], where: Path | None
) -> Bank:
    ids, topics, tags, levels, frequencies, lengths, checksums, problems_by_file = columns
    problems = files.problems + [Problem(*each) for found in problems_by_file if found for each in found]
    numbers: dict[str, int] = {}
    for number, question_id in enumerate(ids):
        if question_id is None:
            continue
        first = numbers.setdefault(question_id, number)
        if first != number:
            problems.append(_duplicate(question_id, files.paths[number], files.paths[first]))
    offsets = list(accumulate(lengths, initial=0))

    def head(question_id: str) -> Head:
        n = numbers[question_id]
        return Head(question_id, topics[n], tuple(tags[n].split()), levels[n], frequencies[n])

    def fetch(question_id: str) -> Question:
        number = numbers[question_id]
        block = packed((offsets[number], lengths[number], checksums[number]))
        if block is not None:
            return from_row(compiled.unpack(block))
        question, found = read_question(QuestionFile(files.paths[number], files.topics[number]))
        if question is None:  # both the cache and the file were harmed since they were opened
            raise CoachError(
                Text(f"The question {question_id} can no longer be read.", f"题目 {question_id} 已无法读取。"),
                files.paths[number],
                Text(found[0].message, found[0].message_zh),
                "coach questions lint",
            )
        return question

    return Bank(
        tuple(numbers),
        fetch,
        head,
        problems=tuple(problems),
        path=lambda question_id: Path(files.paths[numbers[question_id]]),
        index_file=(where.with_name(f"{where.stem}-search.cache"), _content_key(checksums)) if where else None,
    )


def _content_key(checksums: list[int]) -> tuple[Any, ...]:
    """Changes with the text of any question, its id among them."""
    return (*compiled.program_key(), len(checksums), zlib.crc32(array("I", checksums).tobytes()))


def _duplicate(question_id: str, path: str, other: str) -> Problem:
    return problem(path, line_of(path, ("id",)), "id", "duplicate_id", value=question_id, other=other)
