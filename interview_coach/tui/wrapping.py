"""Line breaks for Chinese.

Textual breaks lines between words only, so a Chinese sentence, which has no spaces, is moved to the next line as a
whole and leaves a hole behind. Here a line may break at any ideograph, but not before closing punctuation and not
after an opening bracket. The two functions of Rich and Textual that split a line into words are replaced, so that
plain texts, Markdown and the editor all follow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

Words = Callable[[str], Iterator[tuple[int, int, str]]]

_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\U00020000-\U0003fffd"
_NEVER_FIRST = re.escape("，。、；：？！）》」』】〕”’…—·～,.;:?!)]}%")
_NEVER_LAST = re.escape("（《「『【〔“‘([{")
_BREAK = rf"(?:(?<=[{_WIDE}])|(?=[{_WIDE}]))(?<![{_NEVER_LAST}])(?![{_NEVER_FIRST}\s]|$)(?<!^)(?<!\s)"


def split_wide(words: Words) -> Words:
    """Make ``words``, which yields ``(start, end, word)``, split words further between ideographs."""

    def split(text: str) -> Iterator[tuple[int, int, str]]:
        if max(text, default="") < "\u2e80":
            yield from words(text)
            return
        for start, end, word in words(text):
            cuts = [0, *(match.start() for match in re.finditer(_BREAK, word)), end - start]
            for first, last in pairwise(cuts):
                if first < last:
                    yield start + first, start + last, word[first:last]

    split.splits_wide = True  # type: ignore[attr-defined]
    return split


def install() -> None:
    """Let Textual and Rich break Chinese lines; a second call changes nothing."""
    import rich._wrap
    import textual._wrap

    for module, name in ((rich._wrap, "words"), (textual._wrap, "chunks")):
        words = getattr(module, name, None)
        if words is not None and not hasattr(words, "splits_wide"):
            setattr(module, name, split_wide(words))


def line_breaks(text: str, width: int) -> list[int]:
    """Where to break a line of text so that each part fits into ``width`` cells."""
    install()
    from rich._wrap import divide_line

    return divide_line(text, width)
