"""The machine that learns from example sentences: what it tells apart, and when it keeps silent."""

from __future__ import annotations

import pytest

from interview_coach.marking.clauses import read, words_of
from interview_coach.marking.examples import Leaning, Machine, company, learn, weigh, wording
from interview_coach.marking.result import Verdict


def words(text: str) -> list[str]:
    return wording(read(words_of(text)))


@pytest.fixture(scope="module")
def machine() -> Machine:
    roles = (
        ["The query is what a token looks for", "q asks and k answers", "query 是要找什么，key 是凭什么被找到"],
        ["The key is what a token looks for", "k asks and q answers", "key 是要找什么，query 是凭什么被找到"],
    )
    size = (
        ["The cache grows linearly with the length", "缓存随长度线性增长", "Twice the tokens, twice the cache"],
        [
            "The cache grows quadratically with the length",
            "缓存随长度平方增长",
            "The cache does not grow with the length",
        ],
    )
    return learn({"roles": tuple(map(_all, roles)), "size": tuple(map(_all, size))})  # type: ignore[misc]


def _all(texts: list[str]) -> list[list[str]]:
    return [words(text) for text in texts]


def lean(machine: Machine, point: str, text: str) -> float:
    best = max(machine.leanings(read(words_of(text)))[point], key=lambda each: max(each.right, each.wrong))
    return best.right - best.wrong


@pytest.mark.parametrize(
    ("point", "right", "wrong"),
    [
        ("roles", "so the query is what it looks for", "so the key is what it looks for"),
        ("roles", "其实 query 是找什么的", "其实 key 是要找什么的"),
        ("size", "the kv cache grows linearly", "the kv cache grows quadratically"),
        ("size", "缓存是线性增长的", "缓存是平方增长的"),
        ("size", "the cache grows in line with the length, linearly", "the cache does not grow with the length"),
    ],
)
def test_one_word_turns_a_statement(machine: Machine, point: str, right: str, wrong: str) -> None:
    assert lean(machine, point, right) > 0 > lean(machine, point, wrong)


def test_a_point_is_told_from_another(machine: Machine) -> None:
    found = machine.leanings(read(words_of("The cache grows linearly with the length.")))
    assert max(each.right for each in found["size"]) > 3 * max(each.right for each in found["roles"])


def test_what_is_asked_or_taken_from_the_question_says_nothing(machine: Machine) -> None:
    asked = read(words_of("Does the cache grow quadratically with the length?"))
    assert machine.leanings(asked)["size"] == []
    repeated = read(words_of("The cache grows quadratically with the length."))
    assert machine.leanings(repeated, frozenset(repeated.names))["size"] == []


@pytest.mark.parametrize(
    ("verdict", "right", "wrong", "expected"),
    [
        ("hit", 0.6, 0.1, "hit"),
        ("hit", 0.1, 0.6, "contradicted"),
        ("hit", 0.45, 0.4, "unsure"),
        ("hit", 0.3, 0.6, "contradicted"),
        ("missing", 0.7, 0.1, "hit"),
        ("missing", 0.1, 0.7, "contradicted"),
        ("missing", 0.1, 0.2, "missing"),
        ("contradicted", 0.4, 0.3, "contradicted"),
        ("contradicted", 0.8, 0.1, "hit"),
        ("contradicted", 0.65, 0.3, "unsure"),
        ("partial", 0.0, 0.1, "partial"),
    ],
)
def test_a_wrong_statement_needs_less_than_a_right_one(
    verdict: Verdict, right: float, wrong: float, expected: Verdict
) -> None:
    assert weigh(verdict, [Leaning(right, wrong, 0, 5), Leaning(0.01, 0.0, 6, 9)])[0] == expected


def test_who_says_it_right_and_wrong_is_not_credited() -> None:
    both = [Leaning(0.6, 0.1, 0, 5), Leaning(0.05, 0.55, 6, 9)]
    assert [weigh(verdict, both)[0] for verdict in ("hit", "missing")] == ["unsure", "unsure"]


def test_part_of_a_right_statement_is_not_held_against_it() -> None:
    part = Leaning(0.1, 0.6, 0, 3)
    assert weigh("hit", [Leaning(0.9, 0.0, 0, 9), part])[0] == "hit"
    assert weigh("hit", [Leaning(0.65, 0.1, 4, 9), part])[0] == "unsure"


def test_who_errs_elsewhere_gets_less_benefit_of_the_doubt() -> None:
    right, wrong, alone = company([None, 0.5, 0.5]), company([None, -0.5, -0.5]), company([None, None, 0.3])
    assert right[0] > 0 > wrong[0]
    assert right[0] > right[1] > 0  # a point adds nothing to itself
    assert alone[2] == 0.0
    barely = [Leaning(0.35, 0.15, 0, 5)]
    assert weigh("hit", barely, others=right[0])[0] == "hit"
    assert weigh("hit", barely, others=wrong[0])[0] == "unsure"


def test_a_word_that_the_examples_do_not_know_is_half_a_point() -> None:
    unheard = [Leaning(0.1, 0.1, 0, 5)]
    assert weigh("hit", unheard, alone=True)[0] == "partial"
    assert weigh("hit", unheard)[0] == "hit"
    assert weigh("hit", [Leaning(0.6, 0.1, 0, 5)], alone=True)[0] == "hit"


def test_what_others_are_said_to_say_says_nothing(machine: Machine) -> None:
    told = read(words_of("People say that the cache grows quadratically with the length."))
    assert machine.leanings(told)["size"] == []


def test_nothing_said_changes_nothing() -> None:
    assert weigh("partial", []) == ("partial", None)
