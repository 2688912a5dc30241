"""Whether what a question points to exists: exercises, labs, and the measured values behind its numbers.

Exercises and labs lie above the bank, so their names are handed in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from interview_coach.bank.collection import Bank
from interview_coach.bank.files import line_of
from interview_coach.bank.problems import Location, Problem, field_name, problem


def check_links(bank: Bank, exercises: Collection[str], labs: Mapping[str, Collection[str]]) -> list[Problem]:
    """Every exercise, lab and lab value that a question names and that does not exist.

    Args:
        bank: The questions.
        exercises: The ids of all exercises.
        labs: The names of the values of each lab, by the lab's id.
    """
    return sorted(_broken_links(bank, exercises, labs))


def check_claims(bank: Bank, labs: Mapping[str, Mapping[str, float]]) -> list[Problem]:
    """Every claim whose number is not what the lab measures, within the tolerance it states.

    Args:
        bank: The questions.
        labs: The measured values of each lab, by the lab's id; claims on other labs are passed over.
    """
    return sorted(_wrong_claims(bank, labs))


def _broken_links(bank: Bank, exercises: Collection[str], labs: Mapping[str, Collection[str]]) -> Iterator[Problem]:
    for question in bank.questions.values():
        if question.exercise is not None and question.exercise not in exercises:
            yield _found(
                bank, question.id, ("exercise",), "exercise", value=question.exercise, allowed=_list(exercises)
            )
        if question.lab is not None and question.lab not in labs:
            yield _found(bank, question.id, ("lab",), "lab", value=question.lab, allowed=_list(labs))
        for index, claim in enumerate(question.claims):
            if claim.lab not in labs:
                yield _found(bank, question.id, ("claims", index, "lab"), "lab", value=claim.lab, allowed=_list(labs))
            elif claim.value not in labs[claim.lab]:
                yield _found(
                    bank,
                    question.id,
                    ("claims", index, "value"),
                    "lab_value",
                    value=claim.value,
                    lab=claim.lab,
                    allowed=_list(labs[claim.lab]),
                )


def _wrong_claims(bank: Bank, labs: Mapping[str, Mapping[str, float]]) -> Iterator[Problem]:
    for question in bank.questions.values():
        for index, claim in enumerate(question.claims):
            measured = labs.get(claim.lab, {}).get(claim.value)
            if measured is not None and not abs(measured - claim.expected) <= claim.tolerance:
                yield _found(
                    bank,
                    question.id,
                    ("claims", index, "expected"),
                    "lab_number",
                    expected=claim.expected,
                    tolerance=claim.tolerance,
                    lab=claim.lab,
                    measured=f"{measured:.6g}",
                )


def _found(bank: Bank, question_id: str, location: Location, code: str, **details: object) -> Problem:
    path = bank.path(question_id)
    file, line = (str(path), line_of(str(path), location)) if path else (question_id, 1)
    return problem(file, line, field_name(location), code, **details)


def _list(names: Collection[str]) -> str:
    return ", ".join(sorted(names)) or "none"
