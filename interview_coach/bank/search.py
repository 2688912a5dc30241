"""Full-text search over a bank: an inverted index whose sets of questions are integers, one bit a question.

Union and intersection of such sets take microseconds for ten thousand questions, and scores are added up for all of
them at once, each bit of the score in a set of its own. Questions are numbered by how often they are asked, so that
among equals the commoner one comes first.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, pairwise
from operator import and_, or_
from pathlib import Path
from typing import TYPE_CHECKING

from interview_coach.bank import cache as compiled
from interview_coach.bank.model import Question
from interview_coach.text import LANGUAGES, Language

if TYPE_CHECKING:
    from interview_coach.bank.collection import Bank

_FIELDS = {"id": 5, "prompt": 4, "tags": 2, "answer": 0}
"""The parts of a question that are searched; a match there is worth two to this power."""
_SPELLINGS = (
    (re.compile(r"√|根号|\\sqrt\b|square root(?: of)?"), " sqrt "),
    (re.compile(r"\\(?:text|mathrm|mathbf|operatorname|d?frac|left|right)\b"), " "),
    (re.compile(r"[$`{}*\\^]"), ""),
    (re.compile(r"(?<![a-z0-9])([a-z])_([a-z0-9]+)"), r"\1\2"),
)
"""How formulas are written, brought to one form: sqrt dk, dmodel, n2."""
_LEFT_IN_ENGLISH = {"mask": "掩码"}
"""Terms that Chinese texts often leave in English, and that a reader may look for in Chinese."""
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(f"[^\\W_{_HAN}]+")
_PAIR = re.compile(f"(?=([{_HAN}]{{1,2}}))")
"""At each Chinese character: it and the next one, or it alone at the end of a run."""
_TOKEN = re.compile(f"{_WORD.pattern}|[{_HAN}]+")
_STOP_WORDS = frozenset(
    "a an and are as at be by do does for from how in is it of on or the this to we with you".split()  # noqa: SIM905
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_TYPO_LENGTHS = range(5, 25)
"""In shorter words a wrong letter makes another word; longer ones are no words."""
_MOST_TOKENS = 32


def normalise(text: str) -> str:
    """``text`` in lower case and half width, with one spelling for each formula."""
    text = unicodedata.normalize("NFKC", text).casefold()
    for pattern, replacement in _SPELLINGS:
        text = pattern.sub(replacement, text)
    return text


def _terms(texts: Iterable[str], language: Language) -> set[str]:
    """What is indexed: words, pairs of neighbouring Chinese characters, and the last character of each run."""
    text = normalise("\n".join(texts))
    if language == "zh":
        text = " ".join([text, *(chinese for english, chinese in _LEFT_IN_ENGLISH.items() if english in text)])
    return {*_WORD.findall(text), *_PAIR.findall(text)}


def _texts(question: Question, language: Language) -> dict[str, list[str]]:
    """The texts of a question by field of the index."""
    q, tell = question, [question.answer, question.elevator]
    tell += [point.text for point in q.key_points]
    tell += [text for pitfall in q.pitfalls for text in (pitfall.wrong, pitfall.right)]
    return {
        "id": [q.id],
        "prompt": [q.prompt.get(language)],
        "tags": [*q.tags, q.topic, q.kind],
        "answer": [text.get(language) for text in tell],
    }


class _Vocabulary:
    """The terms of one field in one language, in order, each with the set of questions that hold it.

    The sets lie one after the other in ``postings``; ``ends`` tells where each one ends. So the whole is three objects,
    and loading it is copying it.
    """

    def __init__(self, terms: Sequence[str], ends: array[int], postings: bytes) -> None:
        self._terms = terms
        self._ends = ends
        self._postings = postings

    @classmethod
    def build(cls, documents: Iterable[set[str]]) -> _Vocabulary:
        numbers: dict[str, list[int]] = {}
        size = 0
        for size, held in enumerate(documents, start=1):
            for term in held:
                if term in numbers:
                    numbers[term].append(size - 1)
                else:
                    numbers[term] = [size - 1]
        terms = sorted(numbers)
        sets = [_pack_set(numbers[term], size) for term in terms]
        return cls(terms, array("Q", accumulate(map(len, sets))), b"".join(sets))

    def to_parts(self) -> tuple[str, bytes, bytes]:
        """The vocabulary as plain values for the cache."""
        return "\n".join(self._terms), self._ends.tobytes(), self._postings

    @classmethod
    def from_parts(cls, terms: str, ends: bytes, postings: bytes) -> _Vocabulary:
        """What :meth:`to_parts` took apart."""
        return cls(terms.split("\n"), array("Q", ends), postings)

    def having(self, term: str) -> int:
        """The questions with exactly this term."""
        at = bisect_left(self._terms, term)
        return _union([self._set(at)]) if at < len(self._ends) and self._terms[at] == term else 0

    def beginning(self, term: str) -> int:
        """The questions with a term that begins so."""
        first = bisect_left(self._terms, term)
        last = bisect_left(self._terms, term + chr(sys.maxunicode), first)
        return _union(map(self._set, range(first, min(last, len(self._ends)))))

    def _set(self, at: int) -> bytes:
        return self._postings[self._ends[at - 1] if at else 0 : self._ends[at]]


def _pack_set(numbers: list[int], size: int) -> bytes:
    """A set of question numbers as a list (first byte 0) or as bits (first byte 1), whichever is shorter."""
    if len(numbers) * 32 < size:
        return b"\0" + array("I", numbers).tobytes()
    return b"\1" + _bits(numbers, numbers[-1])


def _union(sets: Iterable[bytes]) -> int:
    """The questions in any of the packed sets."""
    union = 0
    numbers: set[int] = set()
    for packed in sets:
        if packed[0]:
            union |= int.from_bytes(packed[1:], "little")
        else:
            numbers.update(array("I", packed[1:]))
    return union | int.from_bytes(_bits(numbers, max(numbers)), "little") if numbers else union


def _bits(numbers: Iterable[int], greatest: int) -> bytearray:
    bits = bytearray(greatest // 8 + 1)
    for number in numbers:
        bits[number >> 3] |= 1 << (number & 7)
    return bits


class Index:
    """Finds questions by words. See :meth:`interview_coach.bank.Bank.search` for what matches what."""

    def __init__(self, ids: Sequence[str], vocabularies: dict[tuple[str, Language], _Vocabulary]) -> None:
        self._ids = ids
        self._vocabularies = vocabularies

    @classmethod
    def build(cls, questions: Iterable[Question]) -> Index:
        """Index ``questions``, given in the order in which equals are to be found."""
        ids: list[str] = []
        documents: dict[tuple[str, Language], list[set[str]]] = {}
        for question in questions:
            ids.append(question.id)
            for language in LANGUAGES:
                for field, texts in _texts(question, language).items():
                    documents.setdefault((field, language), []).append(_terms(texts, language))
        return cls(ids, {name: _Vocabulary.build(sets) for name, sets in documents.items()})

    def search(self, query: str, language: Language | None, limit: int | None) -> list[str]:
        """The ids of the questions that match, the best first, at most ``limit``."""
        wanted = _wanted(query)
        matches = [self._matches(token, prefix, (language,) if language else LANGUAGES) for token, prefix in wanted]
        anywhere = [reduce(or_, fields.values(), 0) for fields in matches]
        scores: list[int] = []
        for fields in matches:
            better = 0
            for field, weight in _FIELDS.items():
                _add(scores, fields[field] & ~better, weight)
                better |= fields[field]
        found = reduce(and_, anywhere) if anywhere else 0
        if not found:
            counts: list[int] = []
            for questions in anywhere:
                _add(counts, questions, 0)
            everything = reduce(or_, anywhere, 0)
            found = sum(each for count, each in _by_value(counts, everything) if 2 * count >= len(wanted))
        numbers = (number for _, each in _by_value(scores, found) for number in _members(each))
        return [self._ids[number] for _, number in zip(range(len(self._ids) if limit is None else limit), numbers)]  # noqa: B905

    def _matches(self, token: str, prefix: bool, languages: Sequence[Language]) -> dict[str, int]:
        """The questions that hold ``token``, by field."""

        def look_up(terms: Iterable[str], prefix: bool) -> dict[str, int]:
            found = dict.fromkeys(_FIELDS, 0)
            for (field, language), vocabulary in self._vocabularies.items():
                if language in languages:
                    # One letter begins a good part of all words: in the long texts it has to be a word of its own.
                    begins = prefix and not (field == "answer" and len(token) == 1 and token.isascii())
                    find = vocabulary.beginning if begins else vocabulary.having
                    found[field] = reduce(or_, map(find, terms), found[field])
            return found

        matches = look_up([token], prefix)
        if not any(matches.values()) and prefix and len(token) in _TYPO_LENGTHS and token.isascii():
            return look_up(_one_edit_away(token), False)
        return matches

    def save(self, path: Path, key: object) -> None:
        """Keep the index for the next start."""
        parts = [(*name, *vocabulary.to_parts()) for name, vocabulary in self._vocabularies.items()]
        compiled.write_cache(path, (key, list(self._ids), parts), ())

    @classmethod
    def load(cls, path: Path, key: object) -> Index | None:
        """The index kept at ``path``, if it is the one for ``key``."""
        stored = compiled.read_cache(path)
        if stored is None or stored[0][0] != key:
            return None
        _, ids, parts = stored[0]
        return cls(ids, {(field, language): _Vocabulary.from_parts(*rest) for field, language, *rest in parts})


def open_index(bank: Bank, path: Path | None, key: object) -> Index:
    """The index of ``bank``: the one kept at ``path`` if it was made for ``key``, else a new one."""
    index = Index.load(path, key) if path else None
    if index is None:
        order = sorted(bank.heads.values(), key=lambda head: -head.frequency)
        index = Index.build(bank.questions[head.id] for head in order)
        if path:
            index.save(path, key)
    return index


def _wanted(query: str) -> list[tuple[str, bool]]:
    """What to look for: terms, and whether a term that begins so will do."""
    wanted: dict[tuple[str, bool], None] = {}
    tokens = _TOKEN.findall(normalise(query[:1000]))
    for token in [each for each in tokens if each not in _STOP_WORDS] or tokens:
        if len(token) > 1 and not _WORD.match(token):
            wanted.update(((first + second, False), None) for first, second in pairwise(token))
        else:
            plural = len(token) > 3 and token.isascii() and token.endswith("s") and not token.endswith("ss")
            wanted[token[:-1] if plural else token, True] = None
    return list(wanted)[:_MOST_TOKENS]


def _one_edit_away(word: str) -> set[str]:
    """The words that one letter left out, put in, changed, or swapped with the next makes of ``word``."""
    splits = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    return {
        *(left + right[1:] for left, right in splits if right),
        *(left + right[1] + right[0] + right[2:] for left, right in splits if len(right) > 1),
        *(left + letter + right[1:] for left, right in splits if right for letter in _LETTERS),
        *(left + letter + right for left, right in splits for letter in _LETTERS),
    }


def _add(planes: list[int], questions: int, weight: int) -> None:
    """Add two to the power of ``weight`` to the number of each of ``questions``; ``planes[i]`` holds the bits i."""
    while questions:
        while len(planes) <= weight:
            planes.append(0)
        planes[weight], questions = planes[weight] ^ questions, planes[weight] & questions
        weight += 1


def _by_value(planes: Sequence[int], questions: int, value: int = 0) -> Iterator[tuple[int, int]]:
    """``questions`` grouped by their numbers, the greatest first."""
    if not questions:
        return
    if not planes:
        yield value, questions
        return
    *lower, top = planes
    yield from _by_value(lower, questions & top, value + (1 << len(lower)))
    yield from _by_value(lower, questions & ~top, value)


def _members(questions: int) -> Iterator[int]:
    for place, byte in enumerate(questions.to_bytes(questions.bit_length() // 8 + 1, "little")):
        while byte:
            lowest = byte & -byte
            yield 8 * place + lowest.bit_length() - 1
            byte ^= lowest  # noqa: PLW2901
