"""The question files of a folder, and what one of them holds."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from interview_coach.bank.problems import Location, Problem, problem

if TYPE_CHECKING:
    from interview_coach.bank.model import Question

_ENDINGS = (".yaml", ".yml")


class QuestionFile(NamedTuple):
    """A file that should hold a question.

    Attributes:
        path: Where it is.
        folder: The name of the topic folder it lies in, or ``None`` at the top of a bank.
        stamp: Mode, size, and the times of the last change of content and of inode, in nanoseconds; empty if there is
            no such file (a dangling link). As long as it is the same, so is the file.
    """

    path: str
    folder: str | None
    stamp: tuple[int, ...]


def find_files(roots: Iterable[Path]) -> tuple[list[QuestionFile], list[Problem]]:
    """The question files of ``roots``, in a fixed order: those at the top, and those one folder down (the topics).

    A root may be a file itself. Names that begin with a dot are passed over.
    """
    files: list[QuestionFile] = []
    problems: list[Problem] = []
    for root in roots:
        try:
            found = _files_of(root)
        except FileNotFoundError:
            problems.append(problem(str(root), 1, "file", "no_folder"))
        except OSError as error:
            problems.append(problem(str(root), 1, "file", "unreadable", detail=error.strerror or error))
        else:
            if not found:
                problems.append(problem(str(root), 1, "file", "no_questions"))
            files += found
    return files, problems


def _files_of(root: Path) -> list[QuestionFile]:
    status = root.stat()
    if stat.S_ISREG(status.st_mode):
        return [QuestionFile(str(root), root.absolute().parent.name, _stamp(status))]
    files, topics = _listing(str(root), None)
    for topic in topics:
        try:
            files += _listing(topic.path, topic.name)[0]
        except OSError:
            files.append(QuestionFile(topic.path, None, ()))
    files.sort()
    return files


def _listing(folder: str, topic: str | None) -> tuple[list[QuestionFile], list[os.DirEntry[str]]]:
    files = []
    folders = []
    with os.scandir(folder) as entries:
        for entry in entries:
            name = entry.name
            if name.startswith("."):
                continue
            if entry.is_dir():
                folders.append(entry)
            elif name.endswith(_ENDINGS):
                try:
                    stamp = _stamp(entry.stat())
                except OSError:
                    stamp = ()
                files.append(QuestionFile(entry.path, topic, stamp))
    return files, folders


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    return status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def read_question(file: QuestionFile) -> tuple[Question | None, list[Problem]]:
    """Parse and check one file. This is the slow way, which loads the YAML reader and pydantic."""
    from interview_coach.bank.checking import check_document
    from interview_coach.bank.reading import read_document

    content, problems = _content(file)
    if content is None:
        return None, problems
    document, problems = read_document(file.path, content)
    if document is None:
        return None, problems
    question, found = check_document(file.path, document, file.folder)
    return (None if problems else question), [*problems, *found]


def _content(file: QuestionFile) -> tuple[bytes | None, list[Problem]]:
    from interview_coach.bank.reading import MAX_BYTES

    path = file.path
    if file.stamp and not stat.S_ISREG(file.stamp[0]):
        return None, [problem(path, 1, "file", "not_a_file")]
    if file.stamp and file.stamp[1] > MAX_BYTES:
        return None, [problem(path, 1, "file", "too_big", size=file.stamp[1], most=MAX_BYTES)]
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 - a path object a file costs more than the rest
            return stream.read(MAX_BYTES + 1), []
    except OSError as error:
        return None, [problem(path, 1, "file", "unreadable", detail=error.strerror or error)]


def line_of(path: str, location: Location) -> int:
    """The line of a field in a file as it is now, for a problem that was found later; 1 if it cannot be told."""
    from interview_coach.bank.reading import read_document

    try:
        document, _ = read_document(path, Path(path).read_bytes())
    except OSError:
        return 1
    return document.line(location) if document else 1
