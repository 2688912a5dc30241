"""Every number that the bank says is measured: its claims against the labs."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from interview_coach.bank import Bank, check_claims, check_links, load_bank
from interview_coach.labs import labs


@pytest.fixture(scope="module")
def bank() -> Bank:
    return load_bank()


@pytest.fixture(scope="module")
def measured() -> Mapping[str, Mapping[str, float]]:
    return {lab_id: lab.values() for lab_id, lab in labs().items()}


def test_claims_agree_with_the_labs(bank: Bank, measured: Mapping[str, Mapping[str, float]]) -> None:
    assert any(question.claims for question in bank.questions.values()), "no question of the bank makes a claim"
    exercises = {question.exercise for question in bank.questions.values() if question.exercise}
    found = [*check_links(bank, exercises, measured), *check_claims(bank, measured)]
    assert not found, "\n".join(map(str, found))


def test_a_wrong_number_is_found_and_named(bank: Bank, measured: Mapping[str, Mapping[str, float]]) -> None:
    question = next(question for question in bank.questions.values() if question.claims)
    claim = question.claims[0]
    off = dict(measured[claim.lab]) | {claim.value: claim.expected + 2 * claim.tolerance + 1}
    found = check_claims(bank, dict(measured) | {claim.lab: off})
    assert any(question.id in one.file and str(claim.expected) in one.message for one in found)


def test_labs_name_questions_that_exist(bank: Bank) -> None:
    unknown = [f"{lab.id}: {one}" for lab in labs().values() for one in lab.questions if one not in bank.questions]
    assert not unknown, "\n".join(unknown)
