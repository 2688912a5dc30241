"""What is asked: questions in YAML files, compiled, searched, and checked.

>>> from interview_coach.bank import load_bank
>>> bank = load_bank()
>>> bank.search("sqrt dk")[0].id
'why-sqrt-dk'
"""

from __future__ import annotations

from interview_coach.bank.collection import Bank, Head
from interview_coach.bank.library import lint, load_bank
from interview_coach.bank.links import check_claims, check_links
from interview_coach.bank.model import (
    Claim,
    ConceptGroup,
    Examples,
    Experience,
    FollowUp,
    KeyPoint,
    Misconception,
    Pitfall,
    Question,
    Reference,
)
from interview_coach.bank.problems import Problem

__all__ = [
    "Bank",
    "Claim",
    "ConceptGroup",
    "Examples",
    "Experience",
    "FollowUp",
    "Head",
    "KeyPoint",
    "Misconception",
    "Pitfall",
    "Problem",
    "Question",
    "Reference",
    "check_claims",
    "check_links",
    "lint",
    "load_bank",
]
