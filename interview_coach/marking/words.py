"""From folded text to words under one name each: splitting, stems, numbers, and the table of synonyms."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from interview_coach.marking import vocabulary
from interview_coach.marking.normalise import Folded, fold
from interview_coach.marking.stem import stem

_TOKEN = re.compile(
    r"\\[a-z]+|[a-z]+(?:'[a-z]+)?|\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:\.\d+)?(?:e[+-]?\d+)?|[零〇一二三四五六七八九十百千两]{2,}"
    r"|[\u3400-\u9fff]|<=|>=|->|\n|[^\s]"
)
_HAN_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}
_SKIPPED = frozenset("_{}$`()[]\"'#|~&%" + "\\")
BREAKS = {".": 2, "!": 2, "?": 3, ";": 2, "\n": 1, ",": 1, ":": 1}
"""How a mark cuts: 1 a clause, 2 a sentence, 3 a sentence that asks."""


WHETHER = "whether"
"""A verb, 不, the same verb: it asks (放不放得下)."""
CUES = frozenset({"but", "fact", "because", "if", "said", "myth", "unsure"})
"""Names that tell how a clause is meant, and are no part of what it says."""


class Raw(NamedTuple):
    """A word as split: its stem or sign, and where it stands in the folded text. A mark that parts has a ``cut``."""

    text: str
    start: int
    end: int
    cut: int = 0


class Word(NamedTuple):
    """A word under its name, and where it stands in the answer as given."""

    name: str
    start: int
    end: int
    cut: int = 0
    is_glue: bool = False
    weight: int = 0
    """Articles and particles that were read over before it."""
    is_han: bool = False
    """Whether it is written in Chinese characters."""


class Phrase(NamedTuple):
    """What must stand in an answer: these names in order, and beside or among them one of ``near``, if any."""

    names: tuple[str, ...]
    near: frozenset[str] = frozenset()


def split(text: str) -> list[Raw]:
    """The words, signs and breaks of a folded text."""
    raws: list[Raw] = []
    depth = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        start, end = match.span()
        first = token[0]
        if "a" <= first <= "z":
            if "'" in token:
                head, _, tail = token.partition("'")
                if tail == "t":
                    head = head.removesuffix("n")
                if head:
                    raws.append(Raw(stem(head), start, end))
                if tail == "t":
                    raws.append(Raw("not", start, end))
                continue
            if token == "of" and raws and raws[-1].text == "instead":
                raws[-1] = raws[-1]._replace(text="insteadof", end=end)
                continue
            raws.append(Raw._make((_number_word(raws, token) or stem(token), start, end, 0)))
        elif first.isdigit():
            raws.append(Raw(token.replace(",", ""), start, end))
        elif first in _HAN_DIGITS or first in _HAN_UNITS:
            raws.extend(_han_number(token, start, text[end : end + 1]))
        elif first in "([{":
            depth += first != "{"
        elif first in ")]":
            depth = max(0, depth - 1)
        elif first in BREAKS:
            if cut := _cut(first, depth, text[end : end + 1]):
                depth = 0 if cut > 1 else depth
                raws.append(Raw(first, start, end, cut))
        elif token == "-":
            if _is_minus(text, start):
                raws.append(Raw("minus", start, end))
        elif token == "->":
            raws.append(Raw("=", start, end))
        elif len(raws) > 1 and raws[-1].text == "不" and raws[-2].text == token:
            raws.append(Raw(WHETHER, start, end))
        elif len(token) > 1 or first not in _SKIPPED:
            raws.append(Raw._make((token, start, end, 0)))
    return raws


def _cut(mark: str, depth: int, following: str) -> int:
    if mark == ".":
        return 2 if not following or following.isspace() or not following.isascii() else 0
    if mark in ",:" and depth:
        return 0
    return BREAKS[mark]


def _is_minus(text: str, at: int) -> bool:
    before, after = text[at - 1 : at], text[at + 1 : at + 3].lstrip()[:1]
    if not before.isalnum():
        return after.isalnum()
    alone_before = not text[at - 2 : at - 1].isalnum() or before.isdigit()
    return alone_before and after.isalnum() and not text[at + 2 : at + 3].isalpha() and after not in "0123456789"


def _number_word(raws: list[Raw], token: str) -> str | None:
    if token in vocabulary.TENS:
        return str(vocabulary.TENS[token])
    number = vocabulary.NUMBERS.get(token)
    if number and len(number) == 1 and number != "0" and raws and raws[-1].text in _WHOLE_TENS:
        tens = raws.pop()
        return str(int(tens.text) + int(number))
    return number


_WHOLE_TENS = frozenset(str(tens) for tens in vocabulary.TENS.values())


def _han_number(token: str, start: int, following: str) -> list[Raw]:
    """A Chinese number; a lone 一 is a number only where nothing is counted by it (方差为一)."""
    if len(token) == 1:
        if token == "一" and following and "\u3400" <= following <= "\u9fff":
            return [Raw(token, start, start + 1)]
        value = _HAN_DIGITS.get(token)
        return [Raw(token if value is None else str(value), start, start + 1)]
    if not any(character in _HAN_UNITS for character in token[:]) or token[0] in "百千":
        return [Raw(character, start + i, start + i + 1) for i, character in enumerate(token)]
    total = digit = 0
    for character in token:
        if character in _HAN_UNITS:
            total += max(digit, 1) * _HAN_UNITS[character]
            digit = 0
        else:
            digit = _HAN_DIGITS[character]
    return [Raw(str(total + digit), start, start + len(token))]


class Table(NamedTuple):
    """The synonyms by their first two words, the longest first; all stems that mean something; what glue is called."""

    ways: dict[tuple[str, ...], list[tuple[tuple[str, ...], tuple[str, ...]]]]
    stems: frozenset[str]
    glue: frozenset[str]


@cache
def table() -> Table:
    """The table of `vocabulary`, made once."""
    ways: dict[tuple[str, ...], dict[tuple[str, ...], tuple[str, ...]]] = {}
    glue_ways: list[tuple[str, ...]] = []
    stems: set[str] = set()
    for line in vocabulary.SYNONYMS.strip().splitlines():
        name, separator, alternatives = line.partition(" = ")
        if not separator:
            continue
        for way in alternatives.split(" | "):
            parts = _parts(way)
            if parts:
                ways.setdefault(parts[:2], {}).setdefault(parts, tuple(name.split()))
                stems.update(parts)
    for way in vocabulary.PLAIN.split():
        parts = _parts(way)
        if len(parts) > 1:
            ways.setdefault(parts[:2], {}).setdefault(parts, (way,))
    for way in vocabulary.GLUE.split():
        parts = _parts(way)
        if len(parts) == 1:
            glue_ways.append(parts)
        elif parts:
            ways.setdefault(parts[:2], {}).setdefault(parts, (way,))
            glue_ways.append((way,))
        stems.update(parts)
    longest_first = {start: sorted(found.items(), key=lambda each: -len(each[0])) for start, found in ways.items()}
    return Table(longest_first, frozenset(stems), frozenset(parts[0] for parts in glue_ways))


def _parts(way: str) -> tuple[str, ...]:
    if way.startswith("- ") or way == "*":
        way = way.replace("- ", "minus ")
    raws = [Raw(way, 0, 1)] if len(way) == 1 and not way.isalnum() else split(way)
    return tuple(raw.text for raw in raws if not raw.cut and raw.text not in vocabulary.DROPPED)


def name_words(raws: list[Raw], folded: Folded, kept: frozenset[str] = frozenset()) -> list[Word]:
    """The words under their names, breaks among them, with their place in the answer as given.

    Args:
        raws: as split.
        folded: the text they were split from.
        kept: glue that this question needs as words of their own.
    """
    ways, _, glue = table()
    sounds: list[Raw] = []
    weights: list[int] = []
    weight = 0
    for raw in raws:
        if not raw.cut and raw.text in vocabulary.DROPPED:
            weight += 1
            continue
        sounds.append(raw)
        weights.append(weight)
        weight = 0
    words: list[Word] = []
    origin = folded.origin
    texts = [raw.text for raw in sounds]
    at = 0
    total = len(sounds)
    while at < total:
        text, start, end, cut = sounds[at]
        if cut:
            words.append(Word(text, origin[start], origin[end - 1] + 1, cut))
            at += 1
            continue
        names: tuple[str, ...] = (text,)
        length = 1
        for way, meant in (*ways.get(tuple(texts[at : at + 2]), ()), *ways.get(names, ())):
            if len(way) < 3 or way == tuple(texts[at : at + len(way)]):
                names, length = meant, len(way)
                break
        begin, finish = origin[start], origin[sounds[at + length - 1].end - 1] + 1
        is_han = text[0] >= "\u3400"
        for name in names:
            is_glue = name in glue and name not in kept
            words.append(Word._make((name, begin, finish, 0, is_glue, weights[at], is_han)))
        at += length
    return words


@lru_cache(maxsize=32768)
def phrase_of(text: str) -> Phrase:
    """What a phrase of a question asks for; ``names`` is empty where there is nothing to look for."""
    folded = fold(text)
    words = [word for word in name_words(split(folded.text), folded) if not word.cut and word.name not in CUES]
    names = tuple(word.name for word in words if not word.is_glue)
    if not names:
        return Phrase(tuple(word.name for word in words if word.name not in _bare()))
    near = frozenset(word.name for word in words if word.is_glue and word.name not in _bare())
    return Phrase(names, near if len(names) == 1 else vocabulary.STILL if near & vocabulary.STILL else frozenset())


@cache
def _bare() -> frozenset[str]:
    return vocabulary.BARE | {part for way in vocabulary.BARE for part in _parts(way)}
