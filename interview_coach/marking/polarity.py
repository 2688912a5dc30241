"""Whether something is said or denied."""

from __future__ import annotations

from collections.abc import Set

from interview_coach.marking.clauses import CLOSED, Reading

_REACH = 6
"""Words that a "not" reaches over."""


_DENYING = frozenset({"not", "without", "prevent", "nothing"})


def is_averted(reading: Reading, at: int) -> bool:
    """Whether the words from ``at`` on are denied, or said to be avoided or left out."""
    return is_denied(reading, at) or any(
        reading.names[i] in _DENYING for i in range(max(0, at - 2), at) if reading.clause[i] == reading.clause[at]
    )


def is_denied(reading: Reading, at: int, explained: Set[int] = frozenset()) -> bool:
    """Whether the words from ``at`` on stand under a negation of their clause, or in a clause that is called wrong.

    Args:
        reading: the answer.
        at: where the words start.
        explained: negations that belong to a phrase of their own ("not an approximation") and deny nothing else.
    """
    denied = reading.clauses[reading.clause[at]].is_refuted
    return denied != (negation_of(reading, at, explained) is not None)


def negation_of(reading: Reading, at: int, explained: Set[int] = frozenset()) -> int | None:
    """The "not" of the clause that reaches the words from ``at`` on."""
    clause = reading.clause[at]
    for i in range(at - 1, max(-1, at - 1 - _REACH), -1):
        if reading.links[i + 1] & CLOSED or reading.clause[i] != clause:
            break
        if i not in explained and _denies(reading, i):
            return i
    return None


def _denies(reading: Reading, at: int) -> bool:
    """Whether a word denies what follows: "not", and "nothing" where it is the subject."""
    starts = not at or reading.clause[at - 1] != reading.clause[at]
    return reading.names[at] == "not" or (reading.names[at] == "nothing" and starts)
