"""The verdict on each key point of a question.

A point is hit when a phrase of each of its concept groups stands in one clause or in neighbouring ones, and nothing
denies them. It is contradicted when one of its misconceptions is asserted, when its concepts stand under a negation, or
when a group that has a direction is said the other way round. Where the question has example sentences, what was found
is weighed against what they say (:mod:`interview_coach.marking.examples`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from interview_coach.bank.model import ConceptGroup, Examples, KeyPoint, Misconception, Question
from interview_coach.marking.clauses import LEFT, Reading, read, words_of
from interview_coach.marking.examples import Leaning, Machine, company, lean, learn, weigh, wording
from interview_coach.marking.match import Group, Occurrence, compile_group, find, place
from interview_coach.marking.normalise import fold
from interview_coach.marking.polarity import is_averted, is_denied
from interview_coach.marking.result import Marking, PointMark, Verdict, correction_of, language_of, summarise
from interview_coach.marking.typos import correct
from interview_coach.marking.vocabulary import MOVABLE
from interview_coach.marking.words import name_words, split, table
from interview_coach.text import Language

_POINT_CLAUSES = 3
_WRONG_CLAUSES = 1
_WRONG_LENGTH = 10
"""Words from the first to the last of a wrong statement."""
_LOOSE = {2: 0.3, 3: 0.4}
"""What a clause must have beside its keywords, for each of them, to make two points at once, or three."""
Placement = tuple[Occurrence, ...]
_Judgement = tuple[Verdict, Placement, Misconception | None]


class _Question(NamedTuple):
    """What of a question is made once."""

    points: tuple[tuple[Group, ...], ...]
    remedies: tuple[Group | None, ...]
    wrong: tuple[tuple[tuple[Misconception, tuple[Group, ...]], ...], ...]
    prompts: tuple[tuple[str, ...], ...]
    stems: frozenset[str]
    kept: frozenset[str]
    machine: Machine | None


def mark(question: Question, answer: str, language: Language | None = None, seconds: float | None = None) -> Marking:
    """Marks an answer against the key points of a question.

    Args:
        question: what was asked.
        answer: what was said, in English, Chinese, or both; any text at all.
        language: to report in and to measure the length in; by default that of the answer.
        seconds: that the answer took.

    Returns:
        The verdicts, each with the span of the answer that shows it, and what follows from them. Never raises for an
        answer, whatever is in it.
    """
    language = language or language_of(answer)
    prepared = _prepare(question.key_points, (question.prompt.en, question.prompt.zh), question.examples)
    folded = fold(answer)
    raws = correct(split(folded.text), prepared.stems)
    reading = read(name_words(raws, folded, prepared.kept), prepared.prompts)
    points = _Marker(reading, answer, prepared).mark(question.key_points)
    return summarise(question, answer, language, seconds, points)


def prepare(question: Question) -> None:
    """Learns the examples of a question ahead of its first answer: it takes longer than marking one."""
    _prepare(question.key_points, (question.prompt.en, question.prompt.zh), question.examples)


@lru_cache(maxsize=64)
def _prepare(key_points: tuple[KeyPoint, ...], prompts: tuple[str, ...], examples: tuple[Examples, ...]) -> _Question:
    groups = tuple(tuple(map(compile_group, point.concepts)) for point in key_points)
    remedies = tuple(compile_group(point.remedy) if point.remedy else None for point in key_points)
    wrong = tuple(
        tuple((each, tuple(map(compile_group, each.concepts))) for each in point.misconceptions) for point in key_points
    )
    concepts = [point.concepts for point in key_points]
    concepts += [each.concepts for point in key_points for each in point.misconceptions]
    phrases = [phrase for part in concepts for group in part for phrase in group.en]
    stems = {raw.text for phrase in phrases for raw in split(fold(phrase).text)}
    asked = tuple(tuple(word.name for word in words_of(text) if not word.cut and not word.is_glue) for text in prompts)
    every = [*groups, *(parts for point in wrong for _, parts in point)]
    kept = {name for parts in every for part in parts for phrase in part.phrases for name in phrase.names}
    glue = table().glue & kept
    machine = _learned(key_points, examples, glue) if examples else None
    return _Question(groups, remedies, wrong, asked, table().stems | stems, glue, machine)


def _learned(key_points: tuple[KeyPoint, ...], examples: tuple[Examples, ...], kept: frozenset[str]) -> Machine:
    """The machine of a question; what its author wrote elsewhere as right or as wrong is an example too."""

    def words(text: str) -> list[str]:
        folded = fold(text)
        return wording(read(name_words(split(folded.text), folded, kept), judged=False))

    said = {each.point: each for each in examples}
    return learn(
        {
            point.id: (
                [words(text) for text in (*said[point.id].right, *_right_texts(point))],
                [words(text) for text in (*said[point.id].wrong, *_wrong_texts(point))],
            )
            for point in key_points
            if point.id in said
        }
    )


def _right_texts(point: KeyPoint) -> Iterator[str]:
    for text in (point.text, *(each.correction for each in point.misconceptions)):
        yield from (text.en, text.zh)
    yield from _short(point.concepts, 6)


def _wrong_texts(point: KeyPoint) -> Iterator[str]:
    for each in point.misconceptions:
        yield from _short(each.concepts, 5)


def _short(concepts: Sequence[ConceptGroup], most: int) -> Iterator[str]:
    """The shortest ways to say it: a phrase of each group, in either language."""
    for lists in ([group.en for group in concepts], [group.zh for group in concepts]):
        for i in range(min(most, max(map(len, lists)))):
            yield " ".join(phrases[i % len(phrases)] for phrases in lists)


class _Marker:
    """The points of one question in one answer."""

    def __init__(self, reading: Reading, answer: str, question: _Question) -> None:
        self._reading = reading
        self._answer = answer
        self._question = question
        self._asked_names = frozenset(name for prompt in question.prompts for name in prompt)
        self._found = [[self._said(find(group.phrases, reading)) for group in point] for point in question.points]
        self._remedied = [self._sentences_after(remedy) for remedy in question.remedies]
        self._wrong = [
            [
                (misconception, self._asserted([find(part.phrases, reading) for part in parts]))
                for misconception, parts in point
            ]
            for point in question.wrong
        ]
        self._wrong_words = {
            i
            for point in self._wrong
            for _, said in point
            if said
            for part in said
            for i in range(part.first, part.last + 1)
        }
        self._own = [frozenset(self._negations([each for group in point for each in group])) for point in self._found]
        self._explained: frozenset[int] = frozenset()
        hits = [self._hits(number, self._affirmed(number)) for number in range(len(self._found))]
        self._explained = frozenset(self._negations([part for point in hits for each in point for part in each]))

    def _sentences_after(self, remedy: Group | None) -> dict[int, int]:
        """By sentence, from which word on a harm that is denied has been averted: in the sentence that names the
        remedy, and in the next."""
        clauses, clause = self._reading.clauses, self._reading.clause
        after: dict[int, int] = {}
        for each in self._said(find(remedy.phrases, self._reading)) if remedy else ():
            if not each.is_negated and not is_averted(self._reading, each.first):
                sentence = clauses[clause[each.first]].sentence
                after.setdefault(sentence, each.first)
                after.setdefault(sentence + 1, each.first)
        return after

    def _is_remedied(self, occurrence: Occurrence, number: int) -> bool:
        sentence = self._reading.clauses[self._reading.clause[occurrence.first]].sentence
        return self._remedied[number].get(sentence, occurrence.first) < occurrence.first

    def _negations(self, occurrences: Sequence[Occurrence]) -> set[int]:
        """The negations that belong to phrases, and deny nothing else."""
        names = self._reading.names
        return {
            i
            for first, last, is_negated in occurrences
            if not is_negated
            for i in range(first, last + 1)
            if names[i] == "not"
        }

    def _affirmed(self, number: int) -> list[list[Occurrence]]:
        return [[each for each in group if not self._is_denied(each, number)] for group in self._found[number]]

    def _hits(self, number: int, affirmed: Sequence[Sequence[Occurrence]]) -> list[Placement]:
        """Placements of all groups; words that say something wrong earn nothing."""
        placements = place(affirmed, self._reading, clauses=_POINT_CLAUSES, same_sentence=False)
        return [
            placement
            for placement in self._fresh(placements)
            if not all(self._wrong_words.issuperset(range(part.first, part.last + 1)) for part in placement)
        ]

    def mark(self, points: Sequence[KeyPoint]) -> tuple[PointMark, ...]:
        """The verdicts on all points; half a point counts only in words that no other point has taken."""
        judged = self._without_crowds([self._judge(number) for number in range(len(points))])
        machine = self._question.machine
        heard = machine.leanings(self._reading, self._asked_names) if machine else {}
        leanings = [heard.get(point.id, []) for point in points]
        leans = [lean(judgement[0], each) for judgement, each in zip(judged, leanings, strict=True)]
        others = company([found and found[0] for found in leans])
        judged = list(map(self._weighed, judged, leanings, others))
        taken = {i for _, placement, _ in judged for part in placement for i in range(part.first, part.last + 1)}
        return tuple(
            self._told(point, *(judgement if judgement[0] != "missing" else self._half(number, taken)))
            for number, (point, judgement) in enumerate(zip(points, judged, strict=True))
        )

    def _without_crowds(self, judged: list[_Judgement]) -> list[_Judgement]:
        """Many points in one clause with little between them are keywords: half a point each."""
        clauses, clause = self._reading.clauses, self._reading.clause
        homes = [{clause[part.first] for part in placement} for verdict, placement, _ in judged if verdict == "hit"]
        crowded = {
            number
            for number in {number for home in homes for number in home}
            if clauses[number].share < _LOOSE.get(min(homes.count({number}), 3), 0)
        }
        return [
            ("partial", each[1], None)
            if each[0] == "hit" and not crowded.isdisjoint(clause[p.first] for p in each[1])
            else each
            for each in judged
        ]

    def _told(
        self, point: KeyPoint, verdict: Verdict, placement: Placement, misconception: Misconception | None
    ) -> PointMark:
        span = self._span(placement)
        return PointMark(
            id=point.id,
            weight=point.weight,
            verdict=verdict,
            span=span,
            quote=self._answer[slice(*span)] if span else "",
            misconception=misconception.id if misconception else None,
            correction=correction_of(misconception, point) if verdict == "contradicted" else None,
        )

    def _judge(self, number: int) -> _Judgement:
        affirmed = self._affirmed(number)
        for misconception, placement in self._wrong[number]:
            if placement:
                return (
                    ("unsure" if self._in(placement, "is_salad", "is_doubted") else "contradicted"),
                    placement,
                    misconception,
                )
        if hits := self._hits(number, affirmed):
            firm = [each for each in hits if not self._in(each, "is_salad")]
            sure = [each for each in firm if not self._in(each, "is_doubted")]
            best = min(sure or firm or hits, key=lambda each: max(o.last for o in each) - min(o.first for o in each))
            return ("hit" if sure else "unsure" if firm else "partial"), best, None
        for placement in (*self._turned(number, affirmed), *self._denials(number)):
            if not self._in(placement, "is_salad", "is_reported"):
                return ("unsure" if self._in(placement, "is_doubted") else "contradicted"), placement, None
        return "missing", (), None

    def _weighed(self, judgement: _Judgement, leanings: Sequence[Leaning], others: float) -> _Judgement:
        """What was found by phrases, and what the examples say of the answer: on this point, and on the others."""
        words = sum(part.last - part.first + 1 for part in judgement[1])
        verdict, leaning = weigh(judgement[0], leanings, alone=words == 1, others=others)
        if leaning is None:
            return verdict, *judgement[1:]
        placement = (Occurrence(leaning.first, leaning.last, False),)
        if verdict in ("hit", "contradicted") and self._in(placement, "is_doubted"):
            verdict = "unsure"
        return verdict, placement, judgement[2] if verdict == "contradicted" else None

    def _half(self, number: int, taken: set[int]) -> _Judgement:
        telling = [group[0] for group in (self._telling(each, taken) for each in self._affirmed(number)) if group]
        count = len(self._found[number])
        if telling and count > 1 and 2 * len(telling) >= count:
            return "partial", (telling[0],), None
        return "missing", (), None

    def _said(self, occurrences: Sequence[Occurrence]) -> list[Occurrence]:
        """Without what is only asked, and without what is named as left behind."""
        clauses, clause, links = self._reading.clauses, self._reading.clause, self._reading.links
        names = self._reading.names
        return [
            each
            for each in occurrences
            if not clauses[clause[each.first]].is_asked
            and not (links[each.last] & LEFT and names[each.last] in MOVABLE)
        ]

    def _turns_between(self, placement: Placement) -> bool:
        clauses, clause = self._reading.clauses, self._reading.clause
        first, last = (pick(clause[part.first] for part in placement) for pick in (min, max))
        return any(clauses[number].turns for number in range(first + 1, last + 1))

    def _is_denied(self, occurrence: Occurrence, number: int) -> bool:
        if self._is_remedied(occurrence, number):
            return False
        explained = self._explained | self._own[number]
        return occurrence.is_negated != is_denied(self._reading, occurrence.first, explained)

    def _asserted(self, groups: list[list[Occurrence]]) -> Placement | None:
        """A misconception that is said in earnest: neither denied, nor asked, nor told of others."""
        said = [
            [each for each in self._said(group) if not each.is_negated and not is_averted(self._reading, each.first)]
            for group in groups
        ]
        excusing = ("is_reported", "is_supposed") if len(groups) == 1 else ("is_reported",)
        for placement in self._fresh(place(said, self._reading, clauses=_WRONG_CLAUSES, same_sentence=True)):
            length = max(part.last for part in placement) - min(part.first for part in placement)
            if length <= _WRONG_LENGTH and not self._in(placement, *excusing) and not self._turns_between(placement):
                return placement
        return None

    def _turned(self, number: int, affirmed: list[list[Occurrence]]) -> list[Placement]:
        """Placements in which a group that has a direction is said the other way round."""
        turned: list[Placement] = []
        groups = self._question.points[number]
        for i, group in enumerate(groups):
            alone = len(groups) == 1
            contrary = [each for each in group.opposite if not alone or group.is_directed or len(each.names) > 2]
            if contrary:
                other = [
                    each for each in self._said(find(contrary, self._reading)) if not self._is_denied(each, number)
                ]
                parts = [other if i == j else each for j, each in enumerate(affirmed)]
                turned += self._fresh(place(parts, self._reading, clauses=0, same_sentence=True))
        return turned

    def _denials(self, number: int) -> list[Placement]:
        placements = self._fresh(place(self._found[number], self._reading, clauses=1, same_sentence=True))
        return [each for each in placements if any(self._is_denied(part, number) for part in each)]

    def _telling(self, group: list[Occurrence], taken: set[int]) -> list[Occurrence]:
        """Occurrences that say something the question did not, in words that are not taken."""
        names, quoted = self._reading.names, self._reading.quoted
        return [
            each
            for each in group
            if not quoted[each.first]
            and taken.isdisjoint(range(each.first, each.last + 1))
            and not self._asked_names.issuperset(names[each.first : each.last + 1])
        ]

    def _fresh(self, placements: list[Placement]) -> list[Placement]:
        """Those of which at least one part is not a quotation of the question."""
        quoted = self._reading.quoted
        return [
            each for each in placements if not all(quoted[i] for part in each for i in range(part.first, part.last + 1))
        ]

    def _in(self, placement: Placement, *states: str) -> bool:
        clauses, clause = self._reading.clauses, self._reading.clause
        return any(getattr(clauses[clause[part.first]], state) for part in placement for state in states)

    def _span(self, placement: Placement) -> tuple[int, int] | None:
        if not placement:
            return None
        first, last = min(part.first for part in placement), max(part.last for part in placement)
        return self._reading.starts[first], max(self._reading.ends[first : last + 1])
