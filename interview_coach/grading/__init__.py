"""The grader: a verdict that can be trusted, and the name of the bug.

Names are loaded on first use, so that the worker's side of the wall never imports the parent's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interview_coach.grading.engine import grade
    from interview_coach.grading.report import Check, Contract, CostSummary, Diagnosis, GradeError, Report

__all__ = ["Check", "Contract", "CostSummary", "Diagnosis", "GradeError", "Report", "grade"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    home = "engine" if name == "grade" else "report"
    return getattr(importlib.import_module(f"{__name__}.{home}"), name)
