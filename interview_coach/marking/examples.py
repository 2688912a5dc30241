"""Which example sentences of a question an answer is closer to: those that say a point, or those that get it wrong.

A phrase can be looked for, a paraphrase cannot; and what tells a wrong statement from a right one is mostly one word in
the same sentence. So the difference is learned, from right and wrong sentences that the author of the question wrote:
two outputs a key point, by regularised least squares over words, neighbouring words and words under a negation
(Rifkin, Yeo and Poggio 2003, "Regularized least-squares classification"). The words are those of the marker, under one
name for all spellings and both languages. A few hundred sentences are learned in about a tenth of a second, once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, pairwise
from typing import NamedTuple

from interview_coach.arrays import Array
from interview_coach.marking.clauses import Reading
from interview_coach.marking.result import Verdict

_RIDGE = 0.2
"""Of the regularisation; sentences have length one."""
_NEGATION_REACH = 4
"""Words that stand under a "not" before them."""
_PAIR_REACH = 8
"""Words between which an order counts."""
_LONGEST_WINDOW = 4
"""Clauses that are read together."""
_FEWEST = 3
"""Words of a stretch that is weighed, in an answer that has more."""
_MOST_CLAUSES = 30
_UNKNOWN = 2.0
"""What a word that no example has counts in the length of a text: as much as a rare one."""
_SHORT = 10.0
"""What is added to the length of any text, so that one telling word is not taken for a statement."""
_DENYING = frozenset({"not", "without", "prevent"})

_HEARD, _HEARD_ALONE = 0.15, 0.3
"""How like the examples of a point a stretch must be, to speak of it; and where phrases found nothing of the point."""
_HIT_STANDS, _HIT_FALLS = 0.2, -0.12
"""How far an answer must lean to the right side for a hit to stand; and below what it is wrong."""
_EXCUSED = 0.6
"""How much of what a stretch has of the wrong examples is excused, by what it has of the right ones."""
_WRONG_STANDS, _WRONG_TURNS = 0.12, 0.36
"""Below what a wrong statement stands; and above what it was a right one."""
_RIGHT, _WRONG, _SURELY_WRONG = 0.3, 0.1, 0.36
"""Above what it is a hit where phrases found nothing; below what it is wrong, if it is so like the wrong examples."""
_COMPANY, _RESERVE = 0.6, 2.0
"""How much of the mean lean of the other points is added to that of one; and how many usual ones it reckons in."""
_USUAL, _MOST = 0.2, 0.5
"""The lean of the others that adds nothing; and the most that one of them may count."""
_QUOTED, _ASKED = 0.5, 0.8
"""Share of words in a run taken from the question, or that it has too, in a clause that says nothing of its own."""
_SPARSE, _LONG, _SPARSE_IF_LONG = 0.15, 8, 0.33
"""Small words for each keyword below which a clause says nothing; more are asked of one of many keywords."""

Names = Sequence[str]


class Leaning(NamedTuple):
    """What an answer says of a point, in the words ``first`` to ``last`` of its reading.

    ``right`` and ``wrong`` are near 1 where the words are like the examples of that kind, and near 0 where they are
    like none.
    """

    right: float
    wrong: float
    first: int
    last: int


def lean(verdict: Verdict, leanings: Sequence[Leaning]) -> tuple[float, Leaning] | None:
    """How far an answer leans to the right side of a point, and the stretch that says most of it; ``None`` without.

    It leans by how like the right examples it is where it speaks of the point, less how like the wrong ones it is
    anywhere: who says both is not credited. What is part of that stretch is read as the whole of it is.
    """
    heard = max(leanings, key=lambda each: max(each.right, each.wrong), default=None)
    if heard is None or max(heard.right, heard.wrong) < (_HEARD_ALONE if verdict == "missing" else _HEARD):
        return None
    whole = heard.right - heard.wrong
    against = [heard.wrong]
    for each in leanings:
        is_part = heard.first <= each.first and each.last <= heard.last
        against.append(each.wrong - _EXCUSED * (max(each.right, whole) if is_part else each.right))
    return heard.right - max(against), heard


def company(leans: Sequence[float | None]) -> list[float]:
    """What the other points of an answer add to the lean of each: who errs elsewhere gets less benefit of the doubt."""
    known = [None if each is None else max(-_MOST, min(_MOST, each)) - _USUAL for each in leans]
    total, count = sum(each for each in known if each is not None), sum(each is not None for each in known)
    return [_COMPANY * (total - (each or 0.0)) / (count - (each is not None) + _RESERVE) for each in known]


def weigh(
    verdict: Verdict, leanings: Sequence[Leaning], *, alone: bool = False, others: float = 0.0
) -> tuple[Verdict, Leaning | None]:
    """The verdict on a point, and the stretch that decided it; ``None`` where the verdict stands as it was.

    Between right and wrong the point is left open. Where the examples hear nothing of it, a hit by a word ``alone`` is
    half a point. ``others`` is what the rest of the answer adds (:func:`company`).
    """
    found = lean(verdict, leanings)
    if found is None:
        return ("partial" if alone and leanings and verdict == "hit" else verdict), None
    leaning, heard = found[0] + others, found[1]
    if verdict == "contradicted":
        if leaning < _WRONG_STANDS:
            return verdict, None
        return ("hit" if leaning > _WRONG_TURNS else "unsure"), heard
    if verdict == "hit":
        if leaning > _HIT_STANDS:
            return verdict, None
        return ("contradicted" if leaning < _HIT_FALLS else "unsure"), heard
    if leaning > _RIGHT:
        return "hit", heard
    return ("contradicted" if leaning < _WRONG and heard.wrong >= _SURELY_WRONG else "unsure"), heard


class Machine:
    """What was learned from the examples of a question.

    Args:
        points: whose examples they are; each has two outputs, right and wrong.
        features: of each, its row in ``weights``, what it counts there and what it adds to a squared length; rare ones
            count more.
        weights: (rows, outputs).
        bias: by output.
    """

    def __init__(
        self, points: Sequence[str], features: Mapping[str, tuple[int, float, float]], weights: Array, bias: Array
    ) -> None:
        self._points, self._known, self._weights, self._bias = points, features, weights, bias

    def leanings(self, reading: Reading, asked: Set[str] = frozenset()) -> dict[str, list[Leaning]]:
        """For each point, what each stretch of the answer says of it; ``asked`` are the words of the question."""
        found: dict[str, list[Leaning]] = {point: [] for point in self._points}
        for first, last in _stretches(reading, asked):
            scores = self._scores(wording(reading, first, last))
            for number, point in enumerate(self._points):
                found[point].append(Leaning(scores[2 * number], scores[2 * number + 1], first, last))
        return found

    def _scores(self, words: Names) -> list[float]:
        import numpy as np

        features = _features(words)
        known = [found for found in map(self._known.get, features) if found is not None]
        unknown = sum(_UNKNOWN**2 for feature in features if " " not in feature and feature not in self._known)
        if not known:
            return [float(each) for each in self._bias]
        rows, counts, squares = zip(*known, strict=True)
        length = math.sqrt(_SHORT**2 + sum(squares) + unknown)
        score = self._bias + np.array(counts) @ self._weights[list(rows)] / length
        return [float(each) for each in score]


def learn(said: Mapping[str, tuple[Sequence[Names], Sequence[Names]]]) -> Machine:
    """The machine of a question.

    Args:
        said: for each point, the words (:func:`wording`) of sentences that say it, and of sentences that get it wrong.
    """
    import numpy as np

    points = list(said)
    texts = [(2 * n + kind, text) for n, pair in enumerate(said.values()) for kind in (0, 1) for text in pair[kind]]
    numbers: dict[str, int] = {}
    sentences = [[numbers.setdefault(name, len(numbers)) for name in _features(text)] for _, text in texts]
    feature = np.fromiter(chain.from_iterable(sentences), np.intp)
    sentence = np.repeat(np.arange(len(sentences)), list(map(len, sentences)))
    spread = np.bincount(feature, minlength=len(numbers))
    square = np.log((len(sentences) + 1) / np.maximum(spread, 1))
    lengths = np.sqrt(np.bincount(sentence, square[feature], len(sentences)))
    lengths = np.maximum(lengths, 1e-9)[:, None]
    # A feature of one sentence adds nothing to the products of two, only to its length: most features are such.
    shared = spread > 1
    row = np.cumsum(shared) - 1
    data = np.zeros((len(sentences), np.count_nonzero(shared)), np.float32)
    data[sentence[shared[feature]], row[feature[shared[feature]]]] = np.sqrt(square[feature[shared[feature]]])
    data /= lengths
    products = data @ data.T
    np.fill_diagonal(products, 1.0 + _RIDGE)
    targets = np.zeros((len(sentences), 2 * len(points)))
    targets[np.arange(len(sentences)), [kind for kind, _ in texts]] = 1.0
    bias = targets.mean(0)
    duals = np.linalg.solve(products, targets - bias)
    # Its only sentence stands for a lone feature, which so counts twice: in the sentence, and in what is weighed.
    row[feature[~shared[feature]]] = data.shape[1] + sentence[~shared[feature]]
    counts = np.where(shared, np.sqrt(square), square)
    return Machine(
        points,
        dict(zip(numbers, zip(row.tolist(), counts.tolist(), square.tolist(), strict=True), strict=True)),
        np.concatenate([data.T @ duals, duals / lengths]),
        bias,
    )


def wording(reading: Reading, first: int = 0, last: int | None = None) -> list[str]:
    """The names of the words ``first`` to ``last``, and between them the small words, marked by ``_``."""
    words: list[str] = []
    for i in range(first, len(reading.names) if last is None else last + 1):
        if i > first:
            words += (f"_{word}" for word in reading.glue[i])
        words.append(reading.names[i])
    return words


def _features(words: Names) -> set[str]:
    """Words; neighbours; and pairs in their order, who does what to whom. ``~`` marks words under a negation."""
    found = set(words)
    found.update(f"{one} {other}" for one, other in pairwise(words) if "_" in (one[0], other[0]))
    marked: list[str] = []
    reach = 0
    for word in words:
        if word in _DENYING:
            reach = _NEGATION_REACH
        elif word[0] != "_":
            marked.append(f"~{word}" if reach > 0 else word)
            reach -= 1
    found.update(marked)
    found.update(f"{one} {other}" for one, other in pairwise(marked))
    found.update(f"{one} … {other}" for i, one in enumerate(marked) for other in marked[i + 1 : i + 1 + _PAIR_REACH])
    return found


def _stretches(reading: Reading, asked: Set[str]) -> Iterator[tuple[int, int]]:
    """First and last word of each clause, and of a few that follow one another."""
    spans = list(_clause_spans(reading, asked))[:_MOST_CLAUSES]
    for start, (number, first, _) in enumerate(spans):
        for end in range(start, min(start + _LONGEST_WINDOW, len(spans))):
            other, _, last = spans[end]
            if other - number != end - start:
                break  # a clause between them says nothing
            if end - start >= 2 and reading.clauses[other].sentence != reading.clauses[number].sentence:
                break
            if last - first + 1 >= min(_FEWEST, len(reading.names)):
                yield first, last


def _clause_spans(reading: Reading, asked: Set[str]) -> Iterable[tuple[int, int, int]]:
    first = 0
    for i, number in enumerate(reading.clause):
        if i + 1 == len(reading.clause) or reading.clause[i + 1] != number:
            clause, count = reading.clauses[number], i + 1 - first
            quoted = sum(reading.quoted[first : i + 1]) > _QUOTED * count
            quoted |= sum(name in asked for name in reading.names[first : i + 1]) > _ASKED * count
            sparse = clause.share < (_SPARSE if count < _LONG else _SPARSE_IF_LONG)
            told = clause.is_reported or clause.is_refuted
            if not (clause.is_asked or clause.is_salad or told or sparse or quoted):
                yield number, first, i
            first = i + 1
