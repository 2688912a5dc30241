"""Why a submission cannot be graded."""

from __future__ import annotations


class CannotGrade(Exception):
    """The submission cannot be graded; ``kind`` and ``message`` go into the report.

    ``final``: the callable is attention of its own kind, and no helper of the file is graded in its place.
    """

    def __init__(self, kind: str, message: str, *, final: bool = False) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.final = final


class OwnKind(CannotGrade):
    """The callable has what standard attention lacks and computes something else, whatever sizes it is built with."""


class Unexplained(CannotGrade):
    """The callable ran, and no convention fits; which mistake explains it was not asked."""


def own_fault(path: str, bug: Exception) -> str:
    """What to say when the grader itself raised; the traceback goes to the log, for ``--verbose``."""
    import logging

    logging.getLogger(__name__).debug("the grader failed on %s", path, exc_info=bug)
    what = " ".join(f"{type(bug).__name__}: {bug}".split())[:200].replace("; ", ", ")
    return (
        f"{path}: the grader failed ({what}). That is a fault of Interview Coach, not of this code; "
        "please report it with the file and what this prints: coach doctor"
    )
