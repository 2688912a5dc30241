"""The sentences of a report in Chinese.

A report holds its sentences in English, as its JSON shows them. Here is what each is in Chinese: templates with
``{placeholders}``, whose contents are translated in turn. Names, numbers, code and what Python itself said stay.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import cache, lru_cache

from interview_coach.text import Language

_SHORT = frozenset({"all", "bad", "base", "count", "dtype", "error", "file", "form", "id", "infinite", "length"}) | {
    "line", "role", "size", "times", "type",
}  # fmt: skip
"""Holes that hold a single word."""
_HOLE = r"\{(\w+)\}"
_JOINTS = (("; ", "；"), (": ", "："))


def said_in(language: Language, sentence: str) -> str:
    """A sentence of a report in a language; what the tables do not know stays as it is."""
    return _chinese(sentence) if language == "zh" else sentence


@lru_cache(4096)
def _chinese(sentence: str) -> str:
    if not sentence or sentence.isdigit():
        return sentence
    if " · " in sentence:  # pieces of a line, each of them on its own
        return " · ".join(map(_chinese, sentence.split(" · ")))
    for pattern, chinese in _patterns():
        found = pattern.fullmatch(sentence)
        if found is not None:
            parts = {name: _chinese(part) for name, part in found.groupdict().items()}
            return chinese.format(**parts)
    for joint, other in _JOINTS:
        left, there, right = sentence.partition(joint)
        if there:
            pair = _chinese(left), _chinese(right)
            if pair != (left, right):
                return other.join(pair)
    return sentence


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The templates, the most telling first: with fewer holes, then with more words."""
    pairs = sorted(_templates(), key=lambda pair: (len(re.findall(_HOLE, pair[0])), -len(re.sub(_HOLE, "", pair[0]))))
    return tuple((_pattern(english), chinese) for english, chinese in pairs)


def _templates() -> Iterator[tuple[str, str]]:
    # Imported here, so that an English report reads no table.
    from interview_coach.grading.chinese.details import DETAILS
    from interview_coach.grading.chinese.problems import PROBLEMS
    from interview_coach.grading.chinese.words import WORDS
    from interview_coach.grading.failures import REASONS

    yield from (*WORDS.items(), *DETAILS.items(), *PROBLEMS.items())
    for _, reason in REASONS.values():
        yield tuple(re.sub(r"\{(\w+):\w+\}", r"{\1}", text) for text in (reason.en, reason.zh))  # type: ignore[misc]


def _pattern(english: str) -> re.Pattern[str]:
    pieces = re.split(_HOLE, english)
    holes = [rf"(?P<{name}>\S+?)" if name in _SHORT else f"(?P<{name}>.+?)" for name in pieces[1::2]]
    texts = map(re.escape, pieces[::2])
    return re.compile(
        "".join(itertools.chain.from_iterable(itertools.zip_longest(texts, holes, fillvalue=""))), re.DOTALL
    )
