"""Whole statements as sets of words: who does what, in any order, and what would be the contrary.

A statement is written as ``topic: term & term``. A term is some phrases of which any will do, parted by ``|``:

>>> statement = compile_statement("prefill: flops | tensor core & bound | limit")
>>> len(statement.terms)
2

- The terms stand in one sentence, near each other, in any order; ``>`` asks that a term follow the one before.
- ``not`` as a term says that the next is denied; ``!`` before a term, that it must not stand in the clauses of the
  others, ``!!`` not even in their sentence.
- The topic is what the sentence is about: the last of its kind (`TOPICS`) that was named, in this sentence or before.
- ``@name`` is a class of words (`CLASSES`); ``#`` before a term means any number but those.

Words of both languages go through one vocabulary, so that a statement is written once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from interview_coach.marking.clauses import Reading
from interview_coach.marking.kinds import CLASS, TOPICS
from interview_coach.marking.match import Occurrence, contrary_phrases, find, place
from interview_coach.marking.polarity import negation_of
from interview_coach.marking.words import Phrase, phrase_of, table

_BACK = 40
"""Words back to the topic."""
_SHRUNK = {(name,) for name in ("only", "all", "use", "1")}
"""Names that longer phrases must not shrink to ("only once")."""
_DENIALS = (("not",), ("without",))
Placement = tuple[Occurrence, ...]
_Phrases = tuple[Phrase, ...]


class Reach(NamedTuple):
    """How far the parts of a statement may stand from each other: a wrong one must be said more closely.

    Attributes:
        clauses: between two terms.
        length: words from the first of the terms to the last.
        topic_clauses: from the terms back to the topic.
        topic_sentences: likewise.
    """

    clauses: int
    length: int
    topic_clauses: int
    topic_sentences: int


RIGHT = Reach(2, 16, 6, 1)
WRONG = Reach(0, 10, 1, 0)
CONTRARY = Reach(0, 8, 0, 0)


class Term(NamedTuple):
    """One part of a statement: any of its phrases will do."""

    phrases: _Phrases
    follows: bool = False
    denied: bool = False
    is_other: bool = False
    """Whether any number will do that is none of the phrases."""

    def find(self, reading: Reading) -> list[Occurrence]:
        """Where it stands."""
        if self.is_other:
            named = {phrase.names[0] for phrase in self.phrases}
            return [Occurrence(i, i) for i, name in enumerate(reading.names) if name[0].isdigit() and name not in named]
        found = find(self.phrases, reading)
        if self.denied:
            return [widened for each in found if (widened := _with_denial(each, reading))]
        return found


class Statement(NamedTuple):
    """A statement ready for matching."""

    terms: tuple[Term, ...]
    topic: _Phrases = ()
    absent: _Phrases = ()
    never: _Phrases = ()

    @property
    def names(self) -> Iterator[str]:
        """All names that it looks for."""
        for phrases in (*(term.phrases for term in self.terms), self.topic, self.absent, self.never):
            for phrase in phrases:
                yield from phrase.names


@lru_cache(maxsize=16384)
def compile_statement(text: str) -> Statement:
    """The statement under the names of the vocabulary."""
    topic, separator, said = text.rpartition(":")
    terms: list[Term] = []
    absent: list[Phrase] = []
    never: list[Phrase] = []
    denied = False
    for part in map(str.strip, said.split("&")):
        phrases = _phrases(part.lstrip("!>#"))
        if part.startswith("!!"):
            never.extend(phrases)
        elif part.startswith("!"):
            absent.extend(phrases)
        elif phrases and all(phrase.names in _DENIALS for phrase in phrases):
            denied = True
        elif phrases:
            phrases = tuple(phrase for phrase in phrases if phrase.names not in _DENIALS)
            terms.append(Term(phrases, ">" in part[:2], denied, "#" in part[:2]))
            denied = False
    return Statement(tuple(terms), _phrases(topic) if separator else (), tuple(absent), tuple(never))


def _phrases(text: str) -> _Phrases:
    ways = [way for each in text.split("|") for way in _ways(each.strip())]
    found = {phrase: way for way in ways if (phrase := phrase_of(way)).names and not _glue().issuperset(phrase.names)}
    return tuple(phrase for phrase, way in found.items() if " " not in way or phrase.names not in _SHRUNK)


def _ways(text: str) -> list[str]:
    """The text, or all words of the class that it names (``@grow``)."""
    return CLASS[text[1:]].split(" | ") if text.startswith("@") else [text]


@cache
def _glue() -> frozenset[str]:
    return table().glue


@cache
def _topics() -> dict[str, frozenset[str]]:
    kinds = [frozenset(name for each in line.split() for name in phrase_of(each).names) for line in TOPICS.split("\n")]
    return {name: frozenset().union(*(kind for kind in kinds if name in kind)) for kind in kinds for name in kind}


@lru_cache(maxsize=16384)
def contraries(statement: Statement) -> tuple[Statement, ...]:
    """The statements that say the contrary: one term turned round, all else kept."""
    turned: list[Statement] = []
    if len(statement.terms) + bool(statement.topic) < 2:
        return ()
    for number, term in enumerate(statement.terms):
        if not term.denied and not term.is_other and (other := contrary_phrases(term.phrases)):
            terms = (*statement.terms[:number], term._replace(phrases=other), *statement.terms[number + 1 :])
            turned.append(statement._replace(terms=terms))
    return tuple(turned)


def places(statement: Statement, reading: Reading, reach: Reach = RIGHT) -> list[Placement]:
    """Where a statement stands in an answer, denied or not."""
    if not statement.terms:
        return []
    groups: list[list[Occurrence]] = []
    for term in statement.terms:
        found = term.find(reading)
        if not found:
            return []
        groups.append(found)
    topic = find(statement.topic, reading) if statement.topic else []
    if statement.topic and not topic:
        return []
    absent = {reading.clause[each.first] for each in find(statement.absent, reading)}
    never = {reading.clauses[reading.clause[each.first]].sentence for each in find(statement.never, reading)}
    placements: list[Placement] = []
    for placement in place(groups, reading, clauses=reach.clauses, same_sentence=True):
        first, last = min(part.first for part in placement), max(part.last for part in placement)
        if last - first > reach.length or _overlap(placement):
            continue
        if not _in_order(statement, placement) or _turns(reading, first, last):
            continue
        if not absent.isdisjoint(range(reading.clause[first], reading.clause[last] + 1)):
            continue
        if reading.clauses[reading.clause[first]].sentence in never:
            continue
        if not statement.topic:
            placements.append(placement)
        elif about := _topic(topic, reading, placement, reach):
            placements.append((about, *placement))
    return placements


def _with_denial(occurrence: Occurrence, reading: Reading) -> Occurrence | None:
    """The words with the "not" or "without" that denies them; ``None`` where nothing does."""
    first, last, is_negated = occurrence
    if is_negated:
        return Occurrence(first, last)
    at = negation_of(reading, first)
    if at is None and first and reading.names[first - 1] == "without":
        at = first - 1
    return None if at is None else Occurrence(at, last)


def _overlap(placement: Placement) -> bool:
    spans = sorted((first, last) for first, last, _ in placement)
    return any(after[0] <= before[1] for before, after in pairwise(spans))


def _in_order(statement: Statement, placement: Placement) -> bool:
    return all(
        not term.follows or placement[number].first > placement[number - 1].first
        for number, term in enumerate(statement.terms)
    )


def _turns(reading: Reading, first: int, last: int) -> bool:
    return any(reading.clauses[i].turns for i in range(reading.clause[first] + 1, reading.clause[last] + 1))


def _topic(found: Sequence[Occurrence], reading: Reading, placement: Placement, reach: Reach) -> Occurrence | None:
    """What the words are about: the last of its kind before them, else the first after them in their clause."""
    first, last = min(part.first for part in placement), max(part.last for part in placement)
    sentence = reading.clauses[reading.clause[first]].sentence
    for each in reversed(found):
        if each.last < last and first - each.last <= _BACK:
            rivals = _rivals(each, reading)
            home = reading.clause[each.first]
            points_back = _points_back(reading, sentence) and reading.clauses[home].sentence == sentence - 1
            if not points_back:
                if reading.clauses[home].sentence < sentence - reach.topic_sentences:
                    return None
                if home < reading.clause[first] - reach.topic_clauses:
                    return None
            if not any(reading.names[i] in rivals for i in range(each.last + 1, last)):
                return each
            break
    for each in found:
        if each.first > first and reading.clause[each.first] == reading.clause[last]:
            rivals = _rivals(each, reading)
            home = reading.clause[last]
            inside = (i for i in range(max(0, first - reach.length), each.first) if reading.clause[i] == home)
            if not any(reading.names[i] in rivals for i in inside):
                return each
    return None


_POINTING = frozenset({"it", "they", "this", "that", "these", "它", "它们", "这"})


def _points_back(reading: Reading, sentence: int) -> bool:
    """Whether a sentence starts with a word for what the one before was about."""
    for i, clause in enumerate(reading.clause):
        if reading.clauses[clause].sentence == sentence:
            return not _POINTING.isdisjoint(reading.glue[i][:2])
    return False


def _rivals(occurrence: Occurrence, reading: Reading) -> frozenset[str]:
    names = reading.names[occurrence.first : occurrence.last + 1]
    return frozenset().union(*(_topics().get(name, frozenset()) for name in names)) - set(names)
