"""A text in the two languages of the project."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Text:
    """The same text in English and Chinese."""

    en: str
    zh: str

    def get(self, language: Language) -> str:
        """The text in ``language``."""
        return self.zh if language == "zh" else self.en
