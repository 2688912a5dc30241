"""The question files of a folder, and what one of them holds."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
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
        topic: The name of the topic folder it lies in, or ``None`` at the top of a bank.
    """

    path: str
    topic: str | None


@dataclass(slots=True)
class FileList:
    """The question files of a bank, as columns: there may be many.

    Attributes:
        paths: In a fixed order.
        topics: The topic folder of each; see :class:`QuestionFile`.
        stamps: Four numbers for each: mode, size, and the times of the last change of content and of inode in
            nanoseconds. As long as they are the same, so is the file. They are 0 for what cannot be looked at.
        problems: What was wrong with the folders themselves.
    """

    paths: list[str] = field(default_factory=list)
    topics: list[str | None] = field(default_factory=list)
    stamps: list[int] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def __iter__(self) -> Iterator[QuestionFile]:
        return map(QuestionFile, self.paths, self.topics)

    def stamps_by_file(self) -> Iterable[tuple[int, ...]]:
        """The stamp of each file."""
        return zip(*(self.stamps[part::4] for part in range(4)), strict=True)

    def _add(self, path: str, topic: str | None, status: os.stat_result | None) -> None:
        self.paths.append(path)
        self.topics.append(topic)
        if status is None:
            self.stamps += (0, 0, 0, 0)
        else:
            self.stamps += (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns)

    def _add_folder(self, folder: str, topic: str | None) -> list[os.DirEntry[str]]:
        """Add the files of a folder; the folders in it are returned."""
        folders = []
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda each: each.name):
                if entry.name.startswith("."):
                    continue
                if entry.is_dir():
                    folders.append(entry)
                elif entry.name.endswith(_ENDINGS):
                    try:
                        status = entry.stat()
                    except OSError:
                        status = None
                    self._add(entry.path, topic, status)
        return folders

    def _add_root(self, root: Path) -> None:
        status = root.stat()
        if not stat.S_ISDIR(status.st_mode):
            self._add(str(root), root.absolute().parent.name, status)
            return
        before = len(self.paths)
        for topic in self._add_folder(str(root), None):
            try:
                self._add_folder(topic.path, topic.name)
            except OSError as error:
                self.problems.append(_unreadable(topic.path, error))
        if len(self.paths) == before:
            self.problems.append(problem(str(root), 1, "file", "no_questions"))


def find_files(roots: Iterable[Path]) -> FileList:
    """The question files of ``roots``: those at the top, and those one folder down (the topics).

    A root may be a file itself. Names that begin with a dot are passed over.
    """
    files = FileList()
    for root in roots:
        try:
            files._add_root(root)
        except FileNotFoundError:
            files.problems.append(problem(str(root), 1, "file", "no_folder"))
        except OSError as error:
            files.problems.append(_unreadable(str(root), error))
    return files


def _unreadable(path: str, error: OSError) -> Problem:
    return problem(path, 1, "file", "unreadable", detail=error.strerror or error)


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
    question, found = check_document(file.path, document, file.topic)
    return (None if problems else question), [*problems, *found]


def _content(file: QuestionFile) -> tuple[bytes | None, list[Problem]]:
    from interview_coach.bank.reading import MAX_BYTES

    path = file.path
    try:
        status = Path(path).stat()
        if not stat.S_ISREG(status.st_mode):
            return None, [problem(path, 1, "file", "not_a_file")]
        if status.st_size > MAX_BYTES:
            return None, [problem(path, 1, "file", "too_big", size=status.st_size, most=MAX_BYTES)]
        return Path(path).read_bytes(), []
    except OSError as error:
        return None, [_unreadable(path, error)]


def line_of(path: str, location: Location) -> int:
    """The line of a field in a file as it is now, for a problem that was found later; 1 if it cannot be told."""
    from interview_coach.bank.reading import read_document

    try:
        document, _ = read_document(path, Path(path).read_bytes())
    except OSError:
        return 1
    return document.line(location) if document else 1
