"""What the file and the flags say before anything is tried."""

from __future__ import annotations

import re

from interview_coach.grading.prose import affirms, allows_unequal_lengths, stated_lengths, states_t5
from interview_coach.records import record


@record
class Hints:
    """What the file and the flags say: text of docstrings and comments, and conventions asked for."""

    prose: str = ""
    code: str = ""
    causal: bool | None = None
    layout: str | None = None
    mask: str | None = None
    scale: float | None = None
    kernels: bool = False
    """Whether its kernels run in Triton's interpreter."""
    explains: bool = True
    """Whether what fits no convention is to be explained by a mistake."""

    @property
    def mentions_causal(self) -> bool:
        """Whether the file speaks of causality at all."""
        return bool(
            re.search(
                r"causal|tril|triu|autoregress|future|因果|未来|自回归|下三角|上三角", self.prose + self.code, re.I
            )
        )

    @property
    def one_length(self) -> bool:
        """Whether the file itself speaks of one sequence length for queries and keys."""
        if allows_unequal_lengths(self.prose):
            return False
        if affirms(self.prose, _EQUAL):
            return True
        return len(stated_lengths(self.prose) or _unpacked_lengths(self.code)) == 1

    @property
    def two_lengths(self) -> bool:
        """Whether the code reads the lengths of queries and of keys apart."""
        if re.search(_EQUAL, self.prose, re.I):
            return False
        both = all(re.search(_LENGTH_OF.format(name), self.code, re.M) for name in ("q", "k"))
        # The last two axes of scores; those of a query, a key or a value are a length and a width.
        names = re.findall(r"^\s*(\w+), *(\w+) *= *(?![qkvx])\w+\.(?:shape|size\(\))\[-2:\]", self.code, re.M | re.I)
        return both or any(r != c for r, c in names if r != "_" and not c.lower().startswith("d"))

    @property
    def rotates(self) -> bool:
        """Whether the code may rotate queries and keys by their positions."""
        return bool(
            re.search(r"rope|rotary|rotat|\brot|\bsin\b", self.code, re.I)
            and re.search(r"cos|polar|1j|complex", self.code)
        )

    @property
    def biases(self) -> bool:
        """Whether the code may add linear biases to the scores."""
        return bool(re.search(r"alibi|slope", self.code, re.I))

    @property
    def says_t5(self) -> bool:
        """Whether the file says that it is T5's attention, which has no scale."""
        return states_t5(self.prose) or bool(re.search(r"^\s*(class|def) \w*(T5|t5)", self.code, re.M))


_EQUAL = (
    r"(same|equal) (sequence )?lengths?|equally long|as many (queries as keys|keys as queries)|"
    r"(queries and keys|keys and queries) are (as|equally) many|Sq ?==? ?Sk|"
    r"等长|长度(必须|需要)?(相同|相等|一致)"
)


_ONE_AXIS = r"^\s*(s|t|n|l|\w*len\w*)\s*=\s*\w+\.(?:shape\[-?[0-3]\]|size\(-?[0-3]\))\s*(?:#.*)?$"
_HEADS_AND_LENGTH = r"^\s*\w+, *([A-Za-z]\w*) *= *(\w+)\.shape\[1\], *\2\.shape\[(?:2|-2)\]\s*$"
_ROWS_IN_TURN = r"range\([qx]\w*\.(?:shape\[(?:-2|2)\]|size\((?:-2|2)\))\)"
_LENGTH_OF = (
    r"\b{0}\w*\.(?:shape\[(?:-2|2)\]|size\((?:-2|2)\))|"
    r"^\s*\w+, *\w+, *[A-Za-z]\w*, *\w+ *= *{0}\w*\.(?:shape|size\(\))\s*$"
)
"""The length of queries or keys as code reads it from an array of theirs; to be formatted with the first letter."""


def _unpacked_lengths(code: str) -> frozenset[str]:
    """The one name that shapes are unpacked into for a sequence length, if there is only one."""
    found = set()
    for match in re.finditer(r"^\s*([\w, ]+?)\s*=\s*\w+\.(?:shape|size\(\))(?:\[-?\d*:\])?\s*$", code, re.MULTILINE):
        names = [n.strip() for n in match.group(1).split(",") if n.strip() not in ("", "_")]
        if len(names) >= 2:
            found.add(names[-2].lower())
    if not found:
        # No shape is taken apart, but one axis is asked for its size.
        found = {name.lower() for name in re.findall(_ONE_AXIS, code, re.MULTILINE | re.IGNORECASE)}
        found |= {name.lower() for name, _ in re.findall(_HEADS_AND_LENGTH, code, re.MULTILINE)}
    if not found and re.search(_ROWS_IN_TURN, code) and not re.search(_LENGTH_OF.format("k"), code, re.M):
        found = {"rows"}
    singular = {n for n in found if not re.search(r"q|k|src|tgt", n)}
    return frozenset(singular) if len(found) == 1 and singular else frozenset()
