"""One wrong letter in a long word."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from interview_coach.marking.words import Raw

_LONG = 6
_MOST = 400
"""Words that are corrected in one answer."""


def correct(raws: list[Raw], known: frozenset[str]) -> list[Raw]:
    """The words, each long one that is not known replaced by the known one that differs in one letter.

    A letter may be missing, too many, another, or swapped with its neighbour; the first letter must be right.
    """
    tried = 0
    corrected: list[Raw] = []
    for raw in raws:
        text = raw.text
        if len(text) >= _LONG and text not in known and text.isascii() and text.isalpha() and tried < _MOST:
            tried += 1
            if near := _near(text, known):
                corrected.append(raw._replace(text=near))
                continue
        corrected.append(raw)
    return corrected


def _near(text: str, known: frozenset[str]) -> str | None:
    if len(text) > 24:
        return None
    index = _index(known)
    for form in _forms(text):
        for candidate in index.get(form, ()):
            if candidate[0] == text[0] and _is_near(text, candidate):
                return candidate
    return None


@lru_cache(maxsize=64)
def _index(known: frozenset[str]) -> dict[str, list[str]]:
    index: dict[str, list[str]] = {}
    for word in sorted(known):
        if len(word) >= _LONG and word.isascii() and word.isalpha():
            for form in _forms(word):
                index.setdefault(form, []).append(word)
    return index


def _forms(word: str) -> Iterator[str]:
    """The word, and the word without each of its letters: two words one letter apart share one of these."""
    yield word
    for i in range(1, len(word)):
        yield word[:i] + word[i + 1 :]


def _is_near(one: str, other: str) -> bool:
    if len(one) > len(other):
        one, other = other, one
    start = 0
    while start < len(one) and one[start] == other[start]:
        start += 1
    if len(one) < len(other):
        return one[start:] == other[start + 1 :]
    rest_one, rest_other = one[start:], other[start:]
    swapped = rest_one[:2] == rest_other[1::-1] and rest_one[2:] == rest_other[2:]
    return rest_one[1:] == rest_other[1:] or swapped
