"""A text in the two languages of the project."""

from __future__ import annotations

import os
from typing import Literal

from interview_coach.records import record

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


@record
class Text:
    """The same text in English and Chinese."""

    en: str
    zh: str

    def get(self, language: Language) -> str:
        """The text in ``language``."""
        return self.zh if language == "zh" else self.en


def system_language() -> Language:
    """Chinese where the environment's locale is Chinese, else English."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(variable)
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"
