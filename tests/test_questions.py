"""The questions that come with the program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import pytest

from interview_coach.bank import Bank, lint, load_bank
from interview_coach.bank.checking import count_characters, count_words
from interview_coach.exercises import exercises, practising
from interview_coach.text import Text

_REFUTED = (
    "A1 A15 A17 A18 A22 A25 A28 A29 A30 A35 A36 A37 A44 A47 A48 A51 "
    "B3 B5 B7 B9 B10 B20 B23 B26 B27 B28 B31 B34 B39 B40 B41 B43 B47 B48 B51 B52 B53 B54 B55 B58 B59 B64 B65 B75"
)
REFUTED = _REFUTED.split()
"""The claims of the two articles that the fact-check found wrong or misleading."""


@pytest.fixture(scope="module")
def bank() -> Bank:
    from interview_coach.resources import resource_dir

    return load_bank([resource_dir("questions")], builtin=False, cache=False)


def texts(part: object, where: str) -> Iterator[tuple[str, Text]]:
    """Every text of a question, with where it is."""
    if isinstance(part, Text):
        yield where, part
    elif isinstance(part, tuple):
        for number, each in enumerate(part):
            yield from texts(each, f"{where}[{number}]")
    elif is_dataclass(part):
        for field in fields(part):
            yield from texts(getattr(part, field.name), f"{where}.{field.name}")


def test_no_question_has_a_problem() -> None:
    assert [str(each) for each in lint()] == []


def test_there_are_enough_questions(bank: Bank) -> None:
    assert len(bank) >= 12


def test_every_text_is_there_in_both_languages(bank: Bank) -> None:
    for question in bank.questions.values():
        for where, text in texts(question, question.id):
            assert text.en.strip() and text.zh.strip(), where
            assert count_characters(text.en) == 0, f"{where} has Chinese in its English text"


def test_thirty_seconds_are_enough_for_the_elevator_answer(bank: Bank) -> None:
    for question in bank.questions.values():
        assert count_words(question.elevator.en) <= 75, question.id
        assert count_characters(question.elevator.zh) <= 130, question.id


def test_every_exercise_leads_to_its_questions_and_back(bank: Bank) -> None:
    for exercise in exercises().values():
        assert exercise.questions and set(exercise.questions) <= set(bank.questions), exercise.id
        back = [q.id for q in bank.questions.values() if exercise.id in practising(q.id, q.exercise)]
        assert exercise.questions[0] in back, exercise.id
    named = {q.exercise for q in bank.questions.values()} - {None}
    assert set(exercises()) - named == {"attention-backward"}  # one question derives it and the softmax in it
    assert practising("softmax-backward", "softmax-backward") == ("softmax-backward", "attention-backward")


def test_there_are_44_refuted_claims() -> None:
    assert len(set(REFUTED)) == 44


def test_every_refuted_claim_is_corrected_by_a_pitfall(bank: Bank) -> None:
    corrected = {claim for q in bank.questions.values() for pitfall in q.pitfalls for claim in pitfall.refutes}
    assert sorted(set(REFUTED) - corrected) == []
