"""Where the phrases of concept groups stand in an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from interview_coach.bank.model import ConceptGroup
from interview_coach.marking.clauses import JOINED, LEFT, Reading
from interview_coach.marking.vocabulary import CONTRARIES, MOVABLE, OPPOSITES, RIVALS_OF
from interview_coach.marking.words import Phrase, phrase_of

_MOST = 40
"""Occurrences of a group that are looked at."""
_FAR = 30
"""Words between two groups of one statement, at most."""

_NONE: frozenset[str] = frozenset()
_FORMULA = frozenset({"sqrt", "div", "times", "minus", "dk", "dmodel", "log", "frac", "qkt", "^"})
_FIRM = MOVABLE | _FORMULA | {"not", "without", "only", "before", "after", "different", "nearly"}
_MOVES = frozenset({"increase", "reduce"})
_ORDERS = frozenset({"linear", "quadratic"})
_SIZES = frozenset({"dk", "dmodel", "d"})
_WEAK = frozenset({"large", "small", "more", "less", "increase", "first", "last", "overflow"})
_VAGUE = frozenset({"axis", "times", "dk", "d", "length"})
_FUNCTIONS = frozenset({"sqrt", "log"})
"""Names that a gap in a phrase may not hold: they would change its meaning."""


class Group(NamedTuple):
    """A concept group ready for matching: the names of its phrases, and those of its contrary."""

    phrases: tuple[Phrase, ...]
    opposite: tuple[Phrase, ...]
    is_directed: bool = True
    """Whether the contrary was asked for, by a direction, and not found by words alone."""


class Occurrence(NamedTuple):
    """A phrase found: its first word and its last, and whether a "not" stands inside it."""

    first: int
    last: int
    is_negated: bool = False


@lru_cache(maxsize=4096)
def compile_group(group: ConceptGroup) -> Group:
    """The group under the names of the vocabulary; both languages, since answers mix them."""
    found = dict.fromkeys(phrase for text in (*group.en, *group.zh) if (phrase := phrase_of(text)).names)
    if group.direction is None:
        return Group(tuple(found), contrary_phrases(tuple(each for each in found if _is_telling(each))), False)
    if group.direction == "with":
        return Group(tuple(found), tuple(Phrase(("without", *phrase.names)) for phrase in found))
    if group.direction == "without":
        bare = (tuple(name for name in phrase.names if name != "without") for phrase in found)
        return Group(tuple(found), tuple(Phrase(names, frozenset({"with"})) for names in bare if names))
    said, contrary = OPPOSITES[group.direction]
    if group.direction in ("grows", "shrinks", "unchanged"):
        found |= dict.fromkeys(Phrase((name,)) for name in sorted(said))
        return Group(tuple(found), tuple(Phrase((name,)) for name in sorted(contrary)))
    turned = {
        Phrase(tuple(other if name in said else name for name in phrase.names))
        for phrase in found
        for other in contrary
        if said & set(phrase.names)
    }
    return Group(tuple(found), tuple(sorted(turned - set(found))))


def _is_telling(phrase: Phrase) -> bool:
    """Whether a phrase says so much that the contrary of one word makes it a wrong statement."""
    return _VAGUE.isdisjoint(phrase.names) and len(phrase.names) > 1 + (not _WEAK.isdisjoint(phrase.names))


@lru_cache(maxsize=16384)
def contrary_phrases(phrases: tuple[Phrase, ...]) -> tuple[Phrase, ...]:
    """Each phrase with its one word that has a contrary replaced by it."""
    turned: dict[Phrase, None] = {}
    for names, near in phrases:
        flexible = [i for i, name in enumerate(names) if name in CONTRARIES]
        if len(flexible) == 1 and "not" not in names:
            (at,) = flexible
            for other in CONTRARIES[names[at]]:
                turned[Phrase((*names[:at], other, *names[at + 1 :]), near)] = None
    return tuple(each for each in turned if each not in phrases)


def find(phrases: Iterable[Phrase], reading: Reading) -> list[Occurrence]:
    """All places of any of the phrases, in order."""
    found: set[Occurrence] = set()
    positions = reading.positions
    for names, near in phrases:
        if any(name not in positions for name in names):
            continue
        if len(names) == 1:
            places = positions[names[0]][:_MOST]
            alone = (Occurrence(i, i) for i in places)
            found.update(each for each in alone if not near or _has_glue(each, near, reading))
            continue
        for order in (names, names[::-1]) if _is_movable(names) else (names,):
            for start in positions[order[0]][:_MOST]:
                occurrence = _follow(order, start, reading)
                if occurrence and (not near or _has_glue(occurrence, near, reading)):
                    found.add(occurrence)
    return sorted(each for each in found if not _is_modified(each, reading))[: 2 * _MOST]


def _has_glue(occurrence: Occurrence, near: Set[str], reading: Reading) -> bool:
    """Whether one of some small words stands before, among or after the words."""
    return any(not near.isdisjoint(reading.glue[i]) for i in range(occurrence.first, occurrence.last + 2))


def _is_movable(names: tuple[str, ...]) -> bool:
    return len(names) == 2 and not MOVABLE.isdisjoint(names)


def _is_modified(occurrence: Occurrence, reading: Reading) -> bool:
    """Whether a root or a logarithm stands before a size: √d_k is another size than d_k."""
    first = occurrence.first
    return first > 0 and reading.names[first] in _SIZES and reading.names[first - 1] in _FUNCTIONS


def _follow(names: tuple[str, ...], start: int, reading: Reading) -> Occurrence | None:
    """The phrase that starts at ``start``, if it stands there."""
    at, clause = start, reading.clause[start]
    total = len(reading.names)
    negated = False
    for before, name in pairwise(names):
        # Words that take no room: a "not", and what is left behind on the way ("falls from quadratic to linear").
        free = 0
        for i in range(at + 1, min(at + 5 + _gap(before, name), total)):
            if reading.clause[i] != clause:
                return None
            found = reading.names[i]
            if found == name:
                if i - at - 1 > _gap(before, name) + free:
                    return None
                at = i
                break
            if (reading.links[i] & LEFT and found in MOVABLE) or (found in _MOVES and name in _ORDERS):
                free += 1
            elif found == "not" and not negated:
                negated = True
                free += 1
            elif found in _FIRM or (
                not reading.links[i] & JOINED and not RIVALS_OF.get(found, _NONE).isdisjoint(names)
            ):
                return None
        else:
            return None
    return Occurrence(start, at, negated)


def _gap(before: str, name: str) -> int:
    """How many other words may stand between two of a phrase: none in formulas and between Chinese characters."""
    if before in _FORMULA or before == "not" or (len(name) == 1 and len(before) == 1):
        return 0
    return 1 if before[0].isdigit() or name[0].isdigit() else 2


def is_split(reading: Reading, one: Occurrence, other: Occurrence) -> bool:
    """Whether a rival stands between two parts of a statement, so that the nearer belongs to the rival.

    A part of several words says itself what it is about, so no rival can take it.
    """
    if one.first > other.first:
        one, other = other, one
    lone = {reading.names[part.first] for part in (one, other) if part.first == part.last}
    for i in range(one.last + 1, other.first):
        rivals = RIVALS_OF.get(reading.names[i])
        if not rivals or reading.names[i] in lone or rivals.isdisjoint(lone):
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
