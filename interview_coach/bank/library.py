"""Opening a bank: finding its files, taking what the cache has of them, compiling the rest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from interview_coach.bank.files import find_files, line_of, read_question
from interview_coach.bank.problems import Problem, problem
from interview_coach.resources import resource_dir


def lint(folders: Sequence[Path] | None = None) -> list[Problem]:
    """Everything that is wrong with the question files of ``folders``, in the order of files and lines.

    Args:
        folders: Folders or single files; ``None`` is the bank that comes with the program.
    """
    files, problems = find_files(folders if folders is not None else [resource_dir("questions")])
    ids: dict[str, str] = {}
    for file in files:
        question, found = read_question(file)
        problems += found
        if question is not None and (other := ids.setdefault(question.id, file.path)) != file.path:
            problems.append(duplicate(question.id, file.path, other))
    return sorted(problems)


def duplicate(question_id: str, path: str, other: str) -> Problem:
    """The problem of a file whose id another file already has."""
    return problem(path, line_of(path, ("id",)), "id", "duplicate_id", value=question_id, other=other)
