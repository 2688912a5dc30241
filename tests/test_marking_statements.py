"""Statements: who does what, in any order, denied, turned round, about what was named last."""

from __future__ import annotations

import pytest

from interview_coach.marking.clauses import read, words_of
from interview_coach.marking.polarity import is_statement_denied
from interview_coach.marking.statements import CONTRARY, WRONG, compile_statement, contraries, places


def stands(statement: str, answer: str) -> list[bool]:
    """For each place where the statement stands in the answer, whether it is denied there."""
    reading = read(words_of(answer))
    return [is_statement_denied(reading, place) for place in places(compile_statement(statement), reading)]


@pytest.mark.parametrize(
    ("statement", "answer", "found"),
    [
        ("flops & same", "The FLOPs stay the same.", [False]),
        ("flops & same", "计算量和单头持平。", [False]),
        ("flops & reduce", "It does not reduce the FLOPs.", [True]),
        ("not & transpose & view", "You need not transpose before the view.", [False]),
        ("not & transpose & view", "You transpose before the view.", []),
        ("scale & >product", "Scale before the product.", [False]),
        ("scale & >product", "After the product you scale.", []),
        ("memory & linear & !kvcache", "The memory of the cache is linear.", []),
        ("fp16 & #65504", "fp16 ends at 32000.", [False]),
        ("fp16 & #65504", "fp16 ends at 65504.", []),
        ("decode: bandwidth", "In decode the bandwidth is the limit.", [False]),
        ("decode: bandwidth", "Decode is fine but prefill needs bandwidth.", []),
    ],
)
def test_where_a_statement_stands(statement: str, answer: str, found: list[bool]) -> None:
    assert stands(statement, answer) == found


def test_a_statement_turned_round_is_found() -> None:
    reading = read(words_of("The memory is quadratic."))
    (turned,) = contraries(compile_statement("memory & linear"))
    assert len(places(turned, reading, CONTRARY)) == 1


def test_a_wrong_statement_must_be_made_in_one_clause() -> None:
    reading = read(words_of("The cache is kept, and the total is linear."))
    statement = compile_statement("cache & linear")
    assert (len(places(statement, reading)), len(places(statement, reading, WRONG))) == (1, 0)
