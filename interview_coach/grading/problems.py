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
