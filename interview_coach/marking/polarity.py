"""Whether something is said or denied."""

from __future__ import annotations

from collections.abc import Set

from interview_coach.marking.clauses import CLOSED, Reading

_REACH = 6
"""Words that a "not" reaches over."""


_DENYING = frozenset({"not", "without", "prevent"})


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
    clause = reading.clause[at]
    denied = reading.clauses[clause].is_refuted
    for i in range(at - 1, max(-1, at - 1 - _REACH), -1):
        if reading.links[i + 1] & CLOSED or reading.clause[i] != clause:
            break
        if reading.names[i] == "not" and i not in explained:
            return not denied
    return denied
