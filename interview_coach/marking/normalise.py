"""From the text as it was given to one spelling, with the way back.

One character at a time, so that every folded character knows where it came from: compatibility forms (full width,
ligatures), case, super- and subscripts (``n²`` becomes ``n^2``, ``dₖ`` becomes ``d_k``), symbols (``√``, ``∞``, Greek),
traditional Chinese. Control characters, bidi marks and combining marks vanish.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

from interview_coach.marking.traditional import SIMPLIFIED

LONGEST = 4_000
"""Characters that are read; a 30-second answer has a few hundred."""

_SYMBOLS = {
    "√": " sqrt ", "∞": " inf ", "σ": " sigma ", "ς": " sigma ", "μ": " mu ", "θ": " theta ", "φ": " phi ",
    "ϕ": " phi ", "δ": " delta ", "ρ": " rho ", "×": "*", "·": "*", "⋅": "*", "∙": "*", "•": "*", "∘": "*", "⊙": "*",
    "≤": "<=", "≥": ">=", "≈": "=", "≠": " not = ", "→": "->", "⇒": "->", "−": "-", "‐": "-", "‑": "-", "–": "-",
    "—": ", ", "’": "'", "‘": "'", "“": '"', "”": '"', "。": ". ", "、": " and ", "…": ". ", "⊤": " transpose ",
    "↑": " increase ", "↓": " decrease ",
}  # fmt: skip


class Folded(NamedTuple):
    """A text in one spelling; character ``i`` of it came from character ``origin[i]`` of the text as given."""

    text: str
    origin: list[int]


@lru_cache(maxsize=8192)
def fold_character(character: str) -> str:
    """One character in one spelling; nothing for marks and controls."""
    if character.isascii():
        return character.lower() if character.isprintable() or character in "\n\t" else " " * (character == "\r")
    category = unicodedata.category(character)
    if category in {"Cc", "Cf", "Mn", "Me", "Cs", "Co", "Cn"}:
        return ""
    decomposition = unicodedata.decomposition(character)
    place = "^" if decomposition.startswith("<super>") else "_" if decomposition.startswith("<sub>") else ""
    if character in _SYMBOLS:
        return _SYMBOLS[character]
    folded = unicodedata.normalize("NFKC", character).casefold()
    folded = "".join(_SYMBOLS.get(each, SIMPLIFIED.get(each, each)) for each in folded)
    return place + folded


def fold(text: str) -> Folded:
    """The first `LONGEST` characters of ``text`` in one spelling."""
    text = text[:LONGEST]
    if text.isascii() and text.isprintable():
        return Folded(text.lower(), list(range(len(text))))
    pieces = list(map(fold_character, text))
    lengths = list(map(len, pieces))
    if lengths.count(1) == len(lengths):
        return Folded("".join(pieces), list(range(len(text))))
    return Folded("".join(pieces), [index for index, length in enumerate(lengths) for _ in range(length)])
