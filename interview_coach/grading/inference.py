"""What inference found about the contract of a submission."""

from __future__ import annotations

from dataclasses import dataclass, field

from interview_coach.grading.cases import Dims
from interview_coach.grading.contract import Subject
from interview_coach.grading.diagnosis import Choice
from interview_coach.grading.protocol import Failure


@dataclass(slots=True, eq=False, repr=False)
class Inference:
    """What was found: the binding, how far the unmasked output is explained, what had to be narrowed."""

    subject: Subject
    choice: Choice | None
    dims: Dims
    narrowed: str = ""
    failures: list[str] = field(default_factory=list)
    refusals: list[Failure] = field(default_factory=list)
    """What was raised on the sizes that are more general than ``dims``."""
    mask_fits: bool | None = None
    mask_choice: Choice | None = None
    notes: list[str] = field(default_factory=list)
    dropout_in_eval: bool = False
