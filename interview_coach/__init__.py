"""Interview Coach: drill ML interview questions and grade hand-written attention.

The public names are loaded on first use (PEP 562), so ``import interview_coach`` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interview_coach.bank import load_bank
    from interview_coach.grading import grade

__version__ = "0.1.0"
__all__ = ["__version__", "grade", "load_bank"]

_LAZY = {"grade": "interview_coach.grading", "load_bank": "interview_coach.bank"}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        import importlib

        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
