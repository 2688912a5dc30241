"""What the file and the flags say before anything is tried."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hints:
    """What the file and the flags say: text of docstrings and comments, and conventions asked for."""

    prose: str = ""
    code: str = ""
    causal: bool | None = None
    layout: str | None = None
    mask: str | None = None
    scale: float | None = None

    @property
    def mentions_causal(self) -> bool:
        """Whether the file speaks of causality at all."""
        return bool(
            re.search(
                r"causal|tril|triu|autoregress|future|因果|未来|自回归|下三角|上三角", self.prose + self.code, re.I
            )
        )
