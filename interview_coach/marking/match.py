"""Where the phrases of concept groups stand in an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from interview_coach.bank.model import ConceptGroup
from interview_coach.marking.clauses import JOINED, Reading
from interview_coach.marking.vocabulary import MOVABLE, OPPOSITES, RIVALS
from interview_coach.marking.words import phrase_names

Names = tuple[str, ...]
_MOST = 40
"""Occurrences of a group that are looked at."""
_FAR = 30
"""Words between two groups of one statement, at most."""

_RIVALS_OF: dict[str, frozenset[str]] = {}
for _rivals in RIVALS:
    for _name in _rivals:
        _RIVALS_OF[_name] = _RIVALS_OF.get(_name, frozenset()) | (_rivals - {_name})

_FIRM = MOVABLE | {"not", "sqrt", "div", "without", "only", "before", "after"}
"""Names that a gap in a phrase may not hold: they would change its meaning."""


class Group(NamedTuple):
    """A concept group ready for matching: the names of its phrases, and those of its contrary."""

    phrases: tuple[Names, ...]
    opposite: tuple[Names, ...]


class Occurrence(NamedTuple):
    """A phrase found: its first word and its last."""

    first: int
    last: int


@lru_cache(maxsize=4096)
def compile_group(group: ConceptGroup) -> Group:
    """The group under the names of the vocabulary; both languages, since answers mix them."""
    phrases = dict.fromkeys(names for phrase in (*group.en, *group.zh) if (names := phrase_names(phrase)))
    direction = getattr(group, "direction", None)
    if direction is None:
        return Group(tuple(phrases), ())
    said, contrary = OPPOSITES[direction]
    if direction in ("grows", "shrinks", "unchanged"):
        phrases |= dict.fromkeys((name,) for name in sorted(said))
        return Group(tuple(phrases), tuple((name,) for name in sorted(contrary)))
    turned = {
        tuple(other if name in said else name for name in names)
        for names in phrases
        for other in contrary
        if said & set(names)
    }
    return Group(tuple(phrases), tuple(sorted(turned - set(phrases))))


def find(phrases: Iterable[Names], reading: Reading) -> list[Occurrence]:
    """All places of any of the phrases, in order."""
    found: set[Occurrence] = set()
    for names in phrases:
        if len(names) == 1:
            found.update(Occurrence(i, i) for i in reading.positions.get(names[0], ())[:_MOST])
            continue
        if any(name not in reading.positions for name in names):
            continue
        for start in reading.positions[names[0]][:_MOST]:
            if (last := _follow(names, start, reading)) is not None:
                found.add(Occurrence(start, last))
        if len(names) == 2 and (names[0] in MOVABLE or names[1] in MOVABLE):
            for start in reading.positions[names[1]][:_MOST]:
                if (last := _follow((names[1], names[0]), start, reading, gap=2)) is not None:
                    found.add(Occurrence(start, last))
    return sorted(found)[: 2 * _MOST]


def _follow(names: Names, start: int, reading: Reading, gap: int = 1) -> int | None:
    """The last word of the phrase that starts at ``start``, if it stands there."""
    at, clause = start, reading.clause[start]
    total = len(reading.names)
    for name in names[1:]:
        allowed = 0 if len(name) == 1 and not name.isascii() else gap
        for i in range(at + 1, min(at + 2 + allowed, total)):
            if reading.clause[i] != clause:
                return None
            found = reading.names[i]
            if found == name:
                at = i
                break
            if found in _FIRM or not _RIVALS_OF.get(found, frozenset()).isdisjoint(names):
                return None
        else:
            return None
    return at


def is_split(reading: Reading, one: Occurrence, other: Occurrence) -> bool:
    """Whether a rival stands between two parts of a statement, so that the nearer belongs to the rival."""
    if one.first > other.first:
        one, other = other, one
    own = {*reading.names[one.first : one.last + 1], *reading.names[other.first : other.last + 1]}
    for i in range(one.last + 1, other.first):
        rivals = _RIVALS_OF.get(reading.names[i])
        if not rivals or reading.names[i] in own or rivals.isdisjoint(own):
            continue
        if i == one.last + 1 and reading.links[i] & JOINED:
            continue
        return True
    return False


def place(
    groups: Sequence[Sequence[Occurrence]], reading: Reading, *, clauses: int, same_sentence: bool
) -> list[tuple[Occurrence, ...]]:
    """The ways to make a statement of one occurrence of each group, one for each place of the rarest group.

    Args:
        groups: occurrences of each group; a group without any makes no statement.
        reading: the answer.
        clauses: how many clauses apart the parts may stand.
        same_sentence: whether all must be in one sentence.
    """
    if not groups or not all(groups):
        return []
    rarest = min(groups, key=len)
    placements: list[tuple[Occurrence, ...]] = []
    for anchor in rarest:
        chosen = tuple(
            anchor if group is rarest else _nearest(anchor, group, reading, clauses, same_sentence) for group in groups
        )
        if all(chosen):
            placements.append(tuple(each for each in chosen if each))
    return placements


def _nearest(
    anchor: Occurrence, group: Sequence[Occurrence], reading: Reading, clauses: int, same_sentence: bool
) -> Occurrence | None:
    home = reading.clause[anchor.first]
    sentence = reading.clauses[home].sentence
    best: tuple[int, int] | None = None
    nearest: Occurrence | None = None
    for each in group:
        clause = reading.clause[each.first]
        apart = abs(clause - home)
        distance = max(each.first - anchor.last, anchor.first - each.last, 0)
        if apart > clauses or distance > _FAR:
            continue
        if same_sentence and reading.clauses[clause].sentence != sentence:
            continue
        if (best is None or (apart, distance) < best) and not is_split(reading, anchor, each):
            best, nearest = (apart, distance), each
    return nearest
