"""A light English stemmer: it need not find true stems, only give one form to the forms of a word."""

# ruff: noqa: SIM905

from __future__ import annotations

from functools import lru_cache

_KEPT = frozenset(
    """
bias less loss pass class across always this its plus minus axis basis analysis size noise precise rise raise wise
otherwise exercise during thing nothing something anything everything string king ring bring sing spring red bed
need feed speed seed indeed exceed embed shared hundred thus focus status us is was has does bf lse flops ceas time
note notes means meaning canvas bus gas previous various obvious address process access mass dress cross gloss
""".split()
)
"""Words whose endings are no endings."""

_VOWELS = frozenset("aeiouy")


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """The stem of a lower-case English word.

    >>> [stem(word) for word in ("scaling", "scales", "normalization", "normalise", "saturated", "saturation")]
    ['scal', 'scal', 'normal', 'normal', 'satur', 'satur']
    """
    if len(word) <= 3 or word in _KEPT:
        return word
    stemmed = _without_ending(_without_plural(word))
    return stemmed[:-1] if stemmed.endswith("e") and len(stemmed) > 3 else stemmed


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


_ENDINGS = (
    "isation", "ization", "ising", "izing", "ised", "ized", "iser", "izer", "ise", "ize",
    "ation", "ition", "ating", "ated", "ates", "ator", "ate", "ally", "ly", "ing", "ed",
)  # fmt: skip


def _without_ending(word: str) -> str:
    if word in _KEPT:
        return word
    for ending in _ENDINGS:
        if word.endswith(ending):
            start = word[: -len(ending)]
            if len(start) < 3 or not _VOWELS & set(start):
                continue
            if ending in {"ing", "ed"} and start[-1] == start[-2] and start[-1] not in "lsz":
                start = start[:-1]
            return start
    return word
