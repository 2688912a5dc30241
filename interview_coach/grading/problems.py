"""Why a submission cannot be graded."""

from __future__ import annotations


class CannotGrade(Exception):
    """The submission cannot be graded; ``kind`` and ``message`` go into the report."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
